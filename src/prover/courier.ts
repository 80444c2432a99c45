import { setTimeout as pause } from 'node:timers/promises'
import type { Delivery } from '../index.ts'
import type { ProverEvent } from './events.ts'
import { isAcknowledged, type Reply, type Sender } from './sender.ts'
import type { Timeline } from './timeline.ts'

/** One request that is to be sent. */
export type Shipment = {
  readonly event: ProverEvent
  readonly label: string
  /** Default: the event, signed at this moment. */
  readonly delivery?: Delivery
  readonly hangUpAfterMilliseconds?: number
}

/** Sends as a provider does, and writes everything down. */
export type Courier = {
  readonly send: (shipment: Shipment) => Promise<Reply>
  /** All at the same moment, as far as a machine can. `onReply` hears each as it comes. */
  readonly sendTogether: (
    shipments: readonly Shipment[],
    onReply?: (reply: Reply, shipment: Shipment) => void,
  ) => Promise<readonly Reply[]>
  /** Again and again, with growing pauses, until it is acknowledged or a provider would have given up. Answers whether it was. */
  readonly sendUntilAcknowledged: (shipment: Shipment) => Promise<boolean>
}

/** A provider's hours, in fractions of a second. */
const pausesMilliseconds = [50, 100, 200, 400, 800, 1_200, 1_600, 2_000, 2_000]

/** "Try again later" is honoured up to here: a run has no hours to wait. */
const longestPauseMilliseconds = 2_000

export function createCourier(sender: Sender, timeline: Timeline): Courier {
  const load = (shipment: Shipment) => sender.load(shipment.delivery ?? shipment.event.deliver(new Date()))

  async function send(shipment: Shipment): Promise<Reply> {
    return release(await load(shipment), shipment)
  }

  async function release(loaded: Awaited<ReturnType<typeof load>>, shipment: Shipment): Promise<Reply> {
    const { event, label, hangUpAfterMilliseconds } = shipment
    const from = timeline.now()
    const reply = await loaded.release({ hangUpAfterMilliseconds })
    timeline.delivered({ label, eventId: event.id, from, reply })
    return reply
  }

  return {
    send,
    async sendTogether(shipments, onReply) {
      const loaded = await Promise.all(shipments.map(load))
      return Promise.all(
        shipments.map(async (shipment, index) => {
          const reply = await release(loaded[index] as Awaited<ReturnType<typeof load>>, shipment)
          onReply?.(reply, shipment)
          return reply
        }),
      )
    },
    async sendUntilAcknowledged(shipment) {
      for (const [index, pauseMilliseconds] of pausesMilliseconds.entries()) {
        const reply = await send(index === 0 ? shipment : { ...shipment, label: `${shipment.label}, again` })
        if (isAcknowledged(reply)) return true
        const asked = reply.kind === 'answered' ? (reply.retryAfterSeconds ?? 0) * 1000 : 0
        await pause(Math.min(Math.max(asked, pauseMilliseconds), longestPauseMilliseconds))
      }
      return false
    },
  }
}
