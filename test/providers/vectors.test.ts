import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { discord } from '../../src/providers/discord.ts'
import { github } from '../../src/providers/github.ts'
import { paddle } from '../../src/providers/paddle.ts'
import { shopify } from '../../src/providers/shopify.ts'
import { slack } from '../../src/providers/slack.ts'
import { standardWebhooks } from '../../src/providers/standard-webhooks.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { telegram } from '../../src/providers/telegram.ts'
import { twilio } from '../../src/providers/twilio.ts'
import { whatsapp } from '../../src/providers/whatsapp.ts'
import type { Provider } from '../../src/verify/provider.ts'
import type { ProviderOptions } from '../../src/verify/provider-options.ts'

type Vector = {
  readonly why: string
  readonly expect: 'valid' | 'invalid'
  readonly reason?: string
  readonly secret?: string
  readonly publicKey?: string
  readonly at: number
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const providers: readonly (readonly [string, (options: ProviderOptions) => Provider])[] = [
  ['discord', discord],
  ['github', github],
  ['paddle', paddle],
  ['shopify', shopify],
  ['slack', slack],
  ['standard-webhooks', standardWebhooks],
  ['stripe', stripe],
  ['telegram', telegram],
  ['twilio', twilio],
  ['whatsapp', whatsapp],
]

describe.each(providers)('the published examples of %s', (name, create) => {
  const vectors = JSON.parse(
    readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8'),
  ) as readonly Vector[]

  test.each(vectors)('get the verdict that its own library gives: $expect, $why', (vector) => {
    const { secret, publicKey, at, method, url, headers, body } = vector
    const provider = create({ secret, publicKey })

    const verdict = provider.verify({ method, url, headers, body }, new Date(at * 1000))

    expect(verdict).toMatchObject(
      vector.expect === 'valid' ? { kind: 'authentic', secretIndex: 0 } : { kind: 'forged', reason: vector.reason },
    )
  })
})
