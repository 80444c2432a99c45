import { describe, expect, test } from 'vitest'
import { toDelivery } from '../delivery/delivery.ts'
import { hmac } from './algorithms/hmac.ts'
import { defineProvider } from './define-provider.ts'
import { fieldsDigest } from './derived-identity.ts'
import type { Incoming } from './incoming.ts'
import { field } from './object.ts'
import type { ProviderDeclaration } from './provider-declaration.ts'
import type { ProviderOptions } from './provider-options.ts'
import { signature } from './schemes/signature.ts'
import { plain } from './schemes/signature-format.ts'

const whole = { id: 'e1', type: 'paid', order: { id: 7, lines: [1, 2] }, more: 'x' }
const members = { id: 'e1', type: 'paid', order: { id: 7 } }
const delivery = toDelivery({ body: JSON.stringify(whole) })

/** A provider that reads three members, and the documents that its `identify` was given. */
function acme(declared: Partial<ProviderDeclaration> = {}, options: ProviderOptions = {}) {
  const given: unknown[] = []
  const source = defineProvider({
    name: 'acme',
    scheme: signature({ header: 'x-acme', format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }) }),
    reads: ['id', 'type', 'order.id'],
    identify: ({ document }) => {
      given.push(document)
      return { id: field(document, 'id'), type: field(document, 'type'), objectId: field(document, 'order.id') }
    },
    ...declared,
  })({ secret: 'a-secret-that-is-long-enough', ...options })
  return { source, given }
}

describe('a declaration that says what it reads', () => {
  test('gets just that to identify events by', () => {
    const { source, given } = acme()

    expect(source.identify(delivery)).toEqual([{ id: 'e1', type: 'paid', objectId: '7' }])
    expect(given).toEqual([members])
  })

  test('refuses what is not valid anywhere in the body', () => {
    const { source } = acme()

    expect(source.identify({ body: '{"id":"e1","type":"paid","more":[01]}' })).toEqual({
      kind: 'malformed',
      detail: 'The body is not valid JSON.',
    })
    expect(source.identify({ body: '' })).toMatchObject({ detail: 'The body is empty, where JSON was expected.' })
  })

  test('leaves the whole document to an identity of one’s own', () => {
    const seen: unknown[] = []
    const identity = ({ document }: Incoming) => {
      seen.push(document)
      return String(field(document, 'more'))
    }
    const { source, given } = acme({}, { identity })

    expect(source.identify(delivery)).toEqual([{ id: 'x', type: 'paid', objectId: '7' }])
    expect([...seen, ...given]).toEqual([whole, whole])
  })

  test('leaves the whole document to a digest of fields', () => {
    const digested = acme({}, { identity: fieldsDigest(['more', 'order.lines']) })

    expect(digested.source.identify(delivery)).toMatchObject([{ id: expect.stringMatching(/^fields-sha256:/) }])
  })

  test('leaves the whole document to handshakes and answers, before and after', async () => {
    const seen: unknown[] = []
    const look = ({ document }: Incoming) => {
      seen.push(document)
      return undefined
    }
    const { source } = acme({ handshakes: { before_verification: look, after_verification: look }, answer: look })

    source.identify(delivery)
    await source.handshake(delivery, 'before_verification')
    await source.handshake(delivery, 'after_verification')
    source.identify(delivery)
    source.answer(delivery, 'accepted')

    expect(seen).toEqual([whole, whole, whole])
  })

  test('gets the whole document where that is not the body', () => {
    const inField = acme({ documentField: 'payload' })
    const made = acme({ readDocument: () => ({ kind: 'parsed', document: whole }) })
    const form = new URLSearchParams({ payload: JSON.stringify(whole) }).toString()

    inField.source.identify({ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form })
    inField.source.identify(delivery)
    made.source.identify({ body: '<xml/>' })

    expect(inField.given).toEqual([whole, members])
    expect(made.given).toEqual([whole])
  })
})
