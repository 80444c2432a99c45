import { describe, expect, test } from 'vitest'
import { storedHeaders } from '../delivery/stored-headers.ts'
import type { Provider, WebhookEvent } from '../index.ts'
import { generateKeys } from '../testing/provider-keys.ts'
import { signAsProviders } from './listen-signature.ts'
import { loadProvider } from './provider-catalogue.ts'

const at = new Date('2026-01-02T03:04:05.000Z')
const later = new Date('2026-01-05T00:00:00.000Z')
const url = new URL('http://localhost:3000/hooks')

describe('what is forwarded', () => {
  test.each(['stripe', 'github', 'shopify', 'slack', 'twilio', 'standard-webhooks', 'svix', 'discord'])(
    'is signed so that the app believes it to be from %s, and knows the same event',
    async (name) => {
      const provider = await providerOf(name)
      const first = provider.sign({ url: url.href }, at)
      const identified = provider.identify(first)
      const kept = Object.fromEntries(storedHeaders(first.headers, { proofHeaders: provider.proof.headers }))
      const event = {
        source: name,
        headers: new Headers(kept),
        body: Buffer.from(first.body),
      } as unknown as WebhookEvent

      const proof = signAsProviders({ [name]: provider })({ event, url, headers: kept, at: later })

      const headers = new Map(Object.entries({ ...kept, ...proof }).map(([header, value]) => [header, [value]]))
      const arrived = { ...first, url: url.href, headers }
      expect(provider.verify(arrived, later)).toMatchObject({ kind: 'authentic' })
      expect(provider.identify(arrived)).toEqual(identified)
      expect(Object.keys(proof)).not.toContain('host')
    },
  )

  test('keeps its bytes, and goes unsigned, where the time that is signed stands in the body', async () => {
    const linear = await providerOf('linear')
    const { body } = linear.sign({}, at)
    const event = { source: 'linear', headers: new Headers(), body: Buffer.from(body) } as unknown as WebhookEvent

    expect(signAsProviders({ linear })({ event, url, headers: {}, at: later })).toEqual({})
  })

  test('goes unsigned where nobody can sign', () => {
    const event = { source: 'elsewhere', headers: new Headers(), body: Buffer.from('{}') } as unknown as WebhookEvent

    expect(signAsProviders({})({ event, url, headers: {}, at })).toEqual({})
  })
})

async function providerOf(name: string): Promise<Provider> {
  const make = await loadProvider(name)
  if (make === undefined) throw new Error(`There is no ${name}.`)
  return make(generateKeys(name, make, at))
}
