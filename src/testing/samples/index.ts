import { createHash, randomBytes } from 'node:crypto'
import { invalidOptions } from '../../errors.ts'
import type { EventToSign } from '../../index.ts'
import { discordSamples } from './discord.ts'
import { genericSamples } from './generic.ts'
import { githubSamples } from './github.ts'
import { paddleSamples } from './paddle.ts'
import type { ProviderSamples } from './sample.ts'
import { shopifySamples } from './shopify.ts'
import { slackSamples } from './slack.ts'
import { standardWebhooksSamples } from './standard-webhooks.ts'
import { stripeSamples } from './stripe.ts'
import { telegramSamples } from './telegram.ts'
import { twilioSamples } from './twilio.ts'
import { whatsappSamples } from './whatsapp.ts'

/** Which sample to make. */
export type SampleRequest = {
  /** The provider's name, such as `stripe`. */
  readonly provider: string
  /** Default: the provider's first. */
  readonly type?: string
  /** Default: a new one. */
  readonly id?: string
  readonly at: Date
  /** The same seed gives the same event; without it every event is new. */
  readonly seed?: string | number
}

const samplesByProvider: ReadonlyMap<string, ProviderSamples> = new Map([
  ['discord', discordSamples],
  ['github', githubSamples],
  ['hmac', genericSamples],
  ['paddle', paddleSamples],
  ['shopify', shopifySamples],
  ['slack', slackSamples],
  ['standard-webhooks', standardWebhooksSamples],
  ['stripe', stripeSamples],
  ['telegram', telegramSamples],
  ['token', genericSamples],
  ['twilio', twilioSamples],
  ['whatsapp', whatsappSamples],
])

/** The providers that have samples. */
export function sampleProviders(): readonly string[] {
  return [...samplesByProvider.keys()]
}

/** The event types of a provider that there are samples of; empty for an unknown provider. */
export function sampleTypes(provider: string): readonly string[] {
  return Object.keys(samplesByProvider.get(provider) ?? {})
}

/** A realistic event, ready for the provider's `sign`. */
export function sampleEvent({ provider, type, id, at, seed }: SampleRequest): EventToSign {
  const types = sampleTypes(provider)
  const wanted = type ?? types[0] ?? ''
  const sample = types.includes(wanted) ? samplesByProvider.get(provider)?.[wanted] : undefined
  if (sample === undefined) throw unknownSample(provider, wanted, types)
  const unique =
    seed === undefined
      ? randomBytes(12).toString('hex')
      : createHash('sha256').update(`${provider} ${wanted} ${seed}`).digest('hex').slice(0, 24)
  return sample({ id, at, unique })
}

function unknownSample(provider: string, type: string, types: readonly string[]): Error {
  return invalidOptions('The sample', [
    types.length === 0
      ? `There are no samples of "${provider}". Known are: ${sampleProviders().join(', ')}.`
      : `There is no sample "${type}" of ${provider}. Known are: ${types.join(', ')}.`,
  ])
}
