import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { IdentifiedEvent, Provider } from '../../src/verify/provider.ts'
import type { ProviderOptions } from '../../src/verify/provider-options.ts'
import { at, type ProviderCase, testIf } from './provider-case.ts'

/** One event is one identity, and nothing is guessed. */
export function identity({ create, samples, keys, isEveryDeliveryNew = false }: ProviderCase): void {
  testIf(!isEveryDeliveryNew)(
    'has the same identity however often it is sent, and another one than other events',
    () => {
      const source = create(keys)
      const [event, otherEvent] = [samples.make({ at, seed: 1 }), samples.make({ at, seed: 2 })]

      const first = idsOf(source.identify(source.sign(event, at)))
      const again = idsOf(source.identify(source.sign(event, new Date(at.getTime() + 60_000))))
      const other = idsOf(source.identify(source.sign(otherEvent, at)))

      expect(again).toEqual(first)
      expect(other).not.toEqual(first)
    },
  )

  testIf(isEveryDeliveryNew)('is a new event each time it is delivered, and one event while it is handled', () => {
    const source = create(keys)
    const event = samples.make({ at, seed: 1 })
    const [first, again] = [source.sign(event, at), source.sign(event, at)]

    expect(idsOf(source.identify(first))).toEqual(idsOf(source.identify(first)))
    expect(idsOf(source.identify(first))).not.toEqual(idsOf(source.identify(again)))
    expect(source.facts.identityAdvice).toBeDefined()
  })

  test('is a new event whenever nothing is said about it', () => {
    const source = create(keys)
    const ids = Array.from({ length: 50 }, () => idsOf(source.identify(source.sign({}, at))).join())

    expect(new Set(ids).size).toBe(50)
  })

  testIf(!isEveryDeliveryNew)('is malformed, never guessed, when it holds no id', () => {
    const source = create(keys)
    const { headers } = source.sign({}, at)
    const body = Buffer.from('{"nothing":true}')
    const contentTypeOnly = new Map([...headers].filter(([header]) => header === 'content-type'))

    expect(source.identify({ headers: contentTypeOnly, body })).toMatchObject({ kind: 'malformed' })
  })
}

/** A set-up that is not safe does not start, and a safe one shows nothing. */
export function setUp({ create, keys, secretTexts, isKeyFetched = false }: ProviderCase): void {
  const option = keys.secret === undefined ? 'publicKey' : 'secret'

  test.each([...(isKeyFetched ? [] : [undefined]), '', '  \n', 'undefined', 'null', [], [''], [undefined]])(
    'cannot start with the key %j',
    (key) => {
      const options = { ...keys, secret: undefined, publicKey: undefined, [option]: key } as ProviderOptions

      expect(() => create(options)).toThrow(new RegExp(`cannot start:[^]*${option}`))
    },
  )

  test('shows its secret nowhere', () => {
    const source = create(keys)
    const shown = [
      inspect(source, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true }),
      JSON.stringify(source),
      inspect(source.secretsFor({}), { depth: Number.POSITIVE_INFINITY, showHidden: true }),
    ].join('\n')

    expect(secretTexts.filter((text) => shown.includes(text))).toEqual([])
  })

  test('believes anybody only when it is told so, and then says so loudly', () => {
    const source = create({ ...keys, secret: undefined, publicKey: undefined, privateKey: undefined, unverified: true })

    expect(source.verify({ body: '{}' }, at).kind).toBe('authentic')
    expect(source.warnings[0]).toContain('NOT VERIFIED')
  })

  test('has facts that a person can follow up', () => {
    const { facts } = create(keys)

    expect(facts.scheme).not.toBe('')
    expect(facts.title).not.toBe('')
  })
}

/** Nothing that anybody sends makes it throw. */
export function robustness({ create, keys, proof, withTimestamp }: ProviderCase): void {
  test('has a verdict on anything at all', () => {
    const source = create(keys)
    const signed = source.sign({}, at)
    const name = fc.oneof(fc.constantFrom(...signed.headers.keys(), 'content-type'), fc.string({ maxLength: 20 }))
    const value = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...[...signed.headers.values()].flat()))
    const headers = fc.array(fc.tuple(name, value), { maxLength: 8 })
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 64 }),
      fc.json().map((text) => Buffer.from(text)),
    )
    const url = fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true }))
    const method = fc.constantFrom('POST', 'GET', 'PUT', '')

    fc.assert(
      fc.property(fc.record({ headers, body, url, method }), (delivery) => {
        const verdict = source.verify(delivery, at)
        source.identify(delivery)
        void source.handshake(delivery, 'before_verification')
        void source.handshake(delivery, 'after_verification')
        source.answer(delivery, 'accepted')
        expect(['authentic', 'forged', 'malformed']).toContain(verdict.kind)
      }),
      { numRuns: 100 },
    )
  })

  test('has a verdict on signature headers of any content', () => {
    const source = create(keys)
    const delivery = source.sign({}, at)

    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.string({ unit: 'grapheme' })),
        (text) => {
          expect(source.verify(proof.write(delivery, [text]), at).kind).toBe('forged')
          if (withTimestamp !== undefined) source.verify(withTimestamp(delivery, text), at)
        },
      ),
      { numRuns: 100 },
    )
  })
}

function idsOf(events: ReturnType<Provider['identify']>): readonly string[] {
  expect(events).toBeInstanceOf(Array)
  return (events as readonly IdentifiedEvent[]).map(({ id }) => id)
}
