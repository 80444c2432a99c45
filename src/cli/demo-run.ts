import type { InboxEvent } from '../index.ts'
import { failed } from './failure.ts'
import { composeEvent, post } from './outgoing.ts'
import type { Receiver } from './receiver.ts'

/** What a newcomer is shown: how often an event came, and how often it took effect. */
export type DemoReport = {
  readonly source: string
  readonly eventId: string
  readonly deliveries: number
  readonly receipts: number
  readonly effects: number
}

const copies = 2

/** Sends one signed event twice at the same moment, over HTTP as anybody else, and waits until it is processed. */
export async function runDemo({ url, inbox, effects, sources }: Receiver): Promise<DemoReport> {
  const source = 'stripe'
  const provider = sources.find(({ name }) => name === source)?.provider
  if (provider === undefined) throw failed('The demo needs the provider stripe.')
  const at = new Date()
  const event = await composeEvent(provider, { source, type: 'invoice.paid' }, { url: `${url}/in/${source}`, at })
  const [eventId = ''] = event.ids

  const processed = untilProcessed(inbox.subscribe, eventId)
  try {
    const answers = await Promise.all(Array.from({ length: copies }, () => post(event.deliver(at))))
    const refused = answers.find(({ status }) => status === undefined || status >= 300)
    if (refused !== undefined) {
      throw failed(`The demo event was not taken by ${url} (${refused.error ?? refused.status}).`)
    }
    await processed.done
  } finally {
    processed.end()
  }
  const receipts = await inbox.receipts.find({ source, eventId })
  return {
    source,
    eventId,
    deliveries: copies,
    receipts: receipts.length,
    effects: await effects.count(source, [eventId]),
  }
}

const patienceMilliseconds = 15_000

function untilProcessed(
  subscribe: Receiver['inbox']['subscribe'],
  eventId: string,
): { readonly done: Promise<void>; readonly end: () => void } {
  let end = (): void => {}
  const done = new Promise<void>((resolve) => {
    const unsubscribe = subscribe((event: InboxEvent) => {
      if (event.kind === 'handler' && event.eventId === eventId && event.outcome === 'succeeded') resolve()
    })
    // Whatever happened by then, the count of effects tells.
    const timer = setTimeout(resolve, patienceMilliseconds).unref()
    end = () => {
      unsubscribe()
      clearTimeout(timer)
    }
  })
  return { done, end }
}
