import { describe, expect, test } from 'vitest'
import { loadSamples } from '../../src/testing/samples/index.ts'
import { identity, robustness, setUp } from './describe-source.ts'
import { at, type ProviderCase, testIf } from './provider-case.ts'

/** The promises that every provider keeps, for each of these. */
export async function describeProviders(cases: readonly Omit<ProviderCase, 'samples'>[]): Promise<void> {
  for (const provider of cases) describeProvider({ ...provider, samples: await loadSamples(provider.name) })
}

function describeProvider(provider: ProviderCase): void {
  const title = provider.name + (provider.variant === undefined ? '' : ` ${provider.variant}`)
  describe(`a delivery of ${title}`, () => {
    authenticity(provider)
    damage(provider)
    timestamps(provider)
    identity(provider)
  })
  describe(`the source ${title}`, () => {
    setUp(provider)
    robustness(provider)
  })
}

function authenticity({ create, samples, keys, otherKeys, proof, exactBody = oddBody }: ProviderCase): void {
  test('is authentic when it is signed with the configured key', () => {
    const source = create(keys)

    expect(source.verify(source.sign({}, at), at)).toEqual({ kind: 'authentic', secretIndex: 0 })
  })

  test.each(samples.types)('is authentic and identified for the sample %s', (type) => {
    const source = create(keys)
    const delivery = source.sign(samples.make({ type, at }), at)

    const events = source.identify(delivery)

    expect(source.verify(delivery, at).kind).toBe('authentic')
    expect(events).toMatchObject([{ id: expect.any(String), type: expect.any(String) }])
  })

  test('is forged when it is signed with another key', () => {
    const delivery = create(otherKeys).sign({}, at)

    expect(create(keys).verify(delivery, at)).toMatchObject({
      kind: 'forged',
      reason: expect.stringMatching(/_mismatch$/),
    })
  })

  test('names the second key when that one signed it', () => {
    const delivery = create(otherKeys).sign({}, at)
    const both = {
      ...(keys.secret === undefined ? {} : { secret: [keys.secret, otherKeys.secret] as string[] }),
      ...(keys.publicKey === undefined ? {} : { publicKey: [keys.publicKey, otherKeys.publicKey] as string[] }),
    }

    expect(create(both).verify(delivery, at)).toEqual({ kind: 'authentic', secretIndex: 1 })
  })

  test('is authentic whatever the case of its header names', () => {
    const source = create(keys)
    const { headers, ...rest } = source.sign({}, at)
    const shouted = Object.fromEntries([...headers].map(([header, values]) => [header.toUpperCase(), values]))

    expect(source.verify({ ...rest, headers: shouted }, at).kind).toBe('authentic')
  })

  testIf(exactBody !== 'none')('keeps every byte of its body, escapes and umlauts included', () => {
    const source = create(keys)

    const delivery = source.sign({ body: exactBody }, at)

    expect(Buffer.from(delivery.body).toString('utf8')).toBe(exactBody)
    expect(source.verify(delivery, at).kind).toBe('authentic')
  })

  const { header } = proof
  testIf(header !== undefined)('is never authentic because of headers that the caller adds to it', () => {
    const source = create(keys)

    const delivery = source.sign({ headers: { [header ?? '']: 'nonsense' } }, at)

    expect(proof.read(delivery)).not.toBe('nonsense')
  })
}

const oddBody = '{ "a": "\\u00e4\\/ü🖖\\n",\r\n\t"n": 1.0e2 }\n'

function damage({ create, keys, proof, coverage }: ProviderCase): void {
  const source = create(keys)
  const delivery = source.sign({}, at)
  const signature = proof.read(delivery)
  const withSignature = (...values: readonly string[]) => proof.write(delivery, values)

  test('is forged without its signature', () => {
    expect(source.verify(withSignature(), at)).toMatchObject({
      kind: 'forged',
      reason: expect.stringMatching(/_missing$/),
    })
  })

  test('is forged with an empty signature', () => {
    expect(source.verify(withSignature(''), at)).toMatchObject({
      kind: 'forged',
      reason: expect.stringMatching(/_missing$/),
    })
  })

  testIf(proof.header !== undefined)('is forged with its signature sent twice', () => {
    expect(source.verify(withSignature(signature, signature), at)).toEqual({
      kind: 'forged',
      reason: 'signature_repeated',
    })
  })

  test('is forged with any shorter form of its signature', () => {
    const verdicts = Array.from({ length: signature.length }, (_, length) =>
      source.verify(withSignature(signature.slice(0, length)), at),
    )

    expect(verdicts.filter(({ kind }) => kind !== 'forged')).toEqual([])
  })

  test('is forged with anything around its signature', () => {
    for (const odd of [
      `${signature}0`,
      `0${signature}`,
      `${signature}=`,
      `${signature}, ${signature}`,
      `${signature}\u0000`,
    ]) {
      expect(source.verify(withSignature(odd), at).kind).toBe('forged')
    }
  })

  test('is forged with any character of its signature changed', () => {
    const start = signature.length > 40 ? signature.length - 40 : 0
    for (let index = start; index < signature.length; index += 1) {
      const other = signature[index] === '0' ? '1' : '0'
      expect(
        source.verify(withSignature(signature.slice(0, index) + other + signature.slice(index + 1)), at).kind,
      ).toBe('forged')
    }
  })

  const verdicts = { all: 'forged', none: 'authentic' } as const
  const isPartly = typeof coverage === 'function'
  const expected = isPartly ? 'forged' : verdicts[coverage]
  const whole = Buffer.from(delivery.body).toString('latin1')
  const texts = isPartly ? coverage(delivery).map((text) => Buffer.from(text, 'utf8').toString('latin1')) : [whole]
  const indexes = texts.flatMap((text) =>
    Array.from({ length: text.length }, (_, index) => whole.indexOf(text) + index),
  )

  test(`is ${expected} with any byte of its body changed${isPartly ? ' that is covered' : ''}`, () => {
    const unexpected = indexes
      .map((index) => {
        const body = Uint8Array.from(delivery.body)
        body[index] = (body[index] ?? 0) ^ 1
        return { index, ...source.verify({ ...delivery, body }, at) }
      })
      .filter(({ kind }) => kind !== expected)

    expect(indexes.length).toBeGreaterThan(0)
    expect(unexpected).toEqual([])
  })

  testIf(!isPartly)(`is ${expected} with an empty body, or a longer one`, () => {
    const longer = Buffer.concat([delivery.body, Buffer.from('&a=b')])

    expect(source.verify({ ...delivery, body: Buffer.alloc(0) }, at).kind).toBe(expected)
    expect(source.verify({ ...delivery, body: longer }, at).kind).toBe(expected)
  })
}

function timestamps({ create, keys, withTimestamp, timestampUnit = 'seconds' }: ProviderCase): void {
  if (withTimestamp === undefined) return
  const source = create(keys)
  const delivery = source.sign({}, at)
  const tolerance = source.facts.toleranceSeconds ?? Number.NaN
  const later = (seconds: number) => new Date(at.getTime() + seconds * 1000)

  test('is authentic up to the tolerance and forged beyond it, in both directions', () => {
    expect(source.verify(delivery, later(tolerance)).kind).toBe('authentic')
    expect(source.verify(delivery, later(-tolerance)).kind).toBe('authentic')
    expect(source.verify(delivery, later(tolerance + 1))).toMatchObject({ reason: 'timestamp_outside_tolerance' })
    expect(source.verify(delivery, later(-tolerance - 1))).toMatchObject({ reason: 'timestamp_outside_tolerance' })
  })

  test('tells the developer by how many seconds a right signature is late', () => {
    const verdict = source.verify(delivery, later(tolerance + 7))

    expect(verdict).toMatchObject({ hint: expect.stringContaining(`${tolerance + 7} s ago`) })
  })

  test('follows another tolerance that the user sets', () => {
    const patient = create({ ...keys, toleranceSeconds: 10_000 })

    expect(patient.verify(delivery, later(9_999)).kind).toBe('authentic')
    expect(patient.facts.toleranceSeconds).toBe(10_000)
  })

  const tooLong = timestampUnit === 'milliseconds' ? 16 : 13
  test.each(['abc', '', ' ', '-1', '1e9', '0x10', '1794744000.5', 'NaN', '9'.repeat(tooLong), '١٧٩٤٧٤٤٠٠٠'])(
    'is forged with the timestamp %j',
    (timestamp) => {
      expect(source.verify(withTimestamp(delivery, timestamp), at)).toMatchObject({
        kind: 'forged',
        reason: expect.stringMatching(/^timestamp_(?:missing|malformed)$/),
      })
    },
  )
}
