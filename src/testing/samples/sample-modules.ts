// Written by scripts/write-catalogue.mjs from the files that are there.

import type { SampleModule } from './sample.ts'

/** The samples of every provider by its name, loaded when they are asked for. */
export const sampleModules: Readonly<Record<string, () => Promise<SampleModule>>> = {
  discord: () => import('./discord.ts'),
  github: () => import('./github.ts'),
  hmac: () => import('./hmac.ts'),
  paddle: () => import('./paddle.ts'),
  shopify: () => import('./shopify.ts'),
  slack: () => import('./slack.ts'),
  'standard-webhooks': () => import('./standard-webhooks.ts'),
  stripe: () => import('./stripe.ts'),
  telegram: () => import('./telegram.ts'),
  token: () => import('./token.ts'),
  twilio: () => import('./twilio.ts'),
  whatsapp: () => import('./whatsapp.ts'),
}
