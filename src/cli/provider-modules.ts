// Written by scripts/write-catalogue.mjs from the files that are there.

import type { Provider } from '../index.ts'

/** Every provider of the catalogue by its name, loaded when it is asked for: one command rarely needs them all. */
export const providerModules: Readonly<Record<string, () => Promise<(options: never) => Provider>>> = {
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
