import type { Provider } from '../index.ts'

/** What a provider needs to verify and to sign. */
export type ProviderKeys = {
  readonly secret?: string
  readonly publicKey?: string
  readonly privateKey?: string
}

export type MakeProvider = (keys: ProviderKeys) => Provider

/**
 * Every provider that works with keys alone, by the name of its source. They are loaded when they are asked for: one command
 * rarely needs them all.
 */
const providers: Readonly<Record<string, () => Promise<MakeProvider>>> = {
  discord: async () => (await import('../providers/discord.ts')).discord,
  github: async () => (await import('../providers/github.ts')).github,
  paddle: async () => (await import('../providers/paddle.ts')).paddle,
  shopify: async () => (await import('../providers/shopify.ts')).shopify,
  slack: async () => (await import('../providers/slack.ts')).slack,
  'standard-webhooks': async () => (await import('../providers/standard-webhooks.ts')).standardWebhooks,
  stripe: async () => (await import('../providers/stripe.ts')).stripe,
  telegram: async () => (await import('../providers/telegram.ts')).telegram,
  twilio: async () => (await import('../providers/twilio.ts')).twilio,
  whatsapp: async () => (await import('../providers/whatsapp.ts')).whatsapp,
}

export const providerNames: readonly string[] = Object.keys(providers)

/** The provider of that name, or undefined if there is none. */
export async function loadProvider(name: string): Promise<MakeProvider | undefined> {
  return Object.hasOwn(providers, name) ? providers[name]?.() : undefined
}
