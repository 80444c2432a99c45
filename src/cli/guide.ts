import type { Guide } from '../admin/create-admin.ts'
import type { Inbox, Provider } from '../index.ts'
import type { DemoEffects } from './demo-effects.ts'
import { failed } from './failure.ts'
import { composeEvent, type OutgoingEvent } from './outgoing.ts'
import { sendAll } from './send-all.ts'
import { strangerFor } from './sources.ts'

/** What the guide plays with: a handler that can be broken and mended. */
export type GuideFault = { isBroken: boolean }

/** The source of the samples, and its handler's patience: a dead letter within seconds. */
export const guidedSource = 'stripe'
export const guidedRetries = { maxAttempts: 3, backoff: (attempts: number): number => attempts } as const

const type = 'invoice.paid'

export type GuideParts = {
  readonly url: string
  readonly provider: Provider
  readonly inbox: Pick<Inbox<never>, 'receipts'>
  readonly effects: DemoEffects
  readonly fault: GuideFault
}

/** Sends signed samples to the gateway itself, as their provider would, and breaks and mends its handler. */
export function createGuide({ url, provider, inbox, effects, fault }: GuideParts): Guide {
  const address = `${url}/in/${guidedSource}`
  let last: OutgoingEvent | undefined

  return {
    async state() {
      const eventId = last?.ids[0]
      const [receipt] =
        eventId === undefined ? [] : await inbox.receipts.find({ source: guidedSource, eventId, limit: 1 })
      return {
        isHandlerBroken: fault.isBroken,
        source: guidedSource,
        type,
        last: receipt && {
          eventId: receipt.eventId,
          deliveries: receipt.deliveries,
          effects: await effects.count(guidedSource, [receipt.eventId]),
        },
      }
    },
    async send({ copies, isParallel, isForged, isRepeat }) {
      const signer = isForged ? await strangerFor(guidedSource) : provider
      const isAgain = isRepeat && last !== undefined && !isForged
      const event =
        isAgain && last !== undefined
          ? last
          : await composeEvent(signer, { source: guidedSource, type }, { url: address, at: new Date() })
      if (!isForged) last = event
      const answers = await sendAll({
        deliveries: Array.from({ length: copies }, () => event),
        order: isParallel ? 'parallel' : 'one_by_one',
        onAnswer: () => {},
      })
      return { eventId: event.ids[0] ?? '', statuses: answers.map(({ status }) => status ?? 0) }
    },
    async setHandler({ isBroken }) {
      fault.isBroken = isBroken
    },
  }
}

/** The provider that samples are signed by. */
export function guidedProvider(sources: readonly { readonly name: string; readonly provider: Provider }[]): Provider {
  const found = sources.find(({ name }) => name === guidedSource)
  if (found === undefined) throw failed(`The guide needs the provider ${guidedSource}.`)
  return found.provider
}
