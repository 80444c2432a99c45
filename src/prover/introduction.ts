import { setTimeout as pause } from 'node:timers/promises'
import type { Courier } from './courier.ts'
import type { EventMaker, ProverEvent } from './events.ts'
import type { Probe } from './probes/probe.ts'
import { describeReply, isAcknowledged, type Reply } from './sender.ts'

/** How the endpoint behaves when nothing special happens, or why nothing can be said about it. */
export type Introduction =
  | { readonly kind: 'known'; readonly latencyMilliseconds: number; readonly effectDelayMilliseconds: number }
  | { readonly kind: 'stranger'; readonly why: string }

export type IntroductionOptions = {
  readonly events: EventMaker
  readonly courier: Courier
  readonly probe: Probe | undefined
  readonly patienceSeconds: number
  /** What the server printed, if the prover runs it. */
  readonly output: () => string
}

const warmUps = 5

/** Sends a few plain events. If even these are not taken, or the probe does not see them, no verdict could be trusted. */
export async function introduce(options: IntroductionOptions): Promise<Introduction> {
  const { events, courier, probe, patienceSeconds, output } = options
  const latencies: number[] = []
  const delays: number[] = []
  for (let index = 0; index < warmUps; index += 1) {
    const event = events.fresh()
    const before = probe === undefined || index > 0 ? 0 : await asked(probe, event)
    if (typeof before === 'string') return stranger(`The probe cannot be asked. ${before}`)
    if (before > 0) {
      return stranger(
        `The probe counts ${before} for an event that was never sent: it has to count the effects of one event, by its id.`,
      )
    }
    const startedAt = performance.now()
    const reply = await firstAnswer(courier, event)
    if (!isAcknowledged(reply)) return stranger(refusal(reply, output()))
    latencies.push(performance.now() - startedAt)
    const delay = await waitForEffect(probe, event, patienceSeconds)
    // Whoever processed the first one and not this one can be judged, and will be.
    if (delay === undefined && index > 0) break
    if (delay === undefined) {
      return stranger(
        `An event was acknowledged, but after ${patienceSeconds} s the probe still counts 0 effects. ` +
          'Either the probe asks for something else, or the handler does nothing with events of this type: choose one by --type.',
      )
    }
    if (typeof delay === 'string') return stranger(`The probe cannot be asked. ${delay}`)
    delays.push(delay)
  }
  // The first one pays for connections and compilers.
  const [, ...calm] = delays
  return {
    kind: 'known',
    latencyMilliseconds: Math.max(2, median(latencies.length > 1 ? latencies.slice(1) : latencies)),
    effectDelayMilliseconds: Math.max(...(calm.length > 0 ? calm : delays)),
  }
}

/** Whoever has just been started may need a moment. */
async function firstAnswer(courier: Courier, event: ProverEvent): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await courier.send({ event, label: 'introduction' })
    const isFinal = isAcknowledged(reply) || (reply.kind === 'answered' && reply.status < 500)
    if (isFinal || attempt === 5) return reply
    await pause(200 * attempt)
  }
}

/** Milliseconds until it took effect; undefined if it did not, a text if nobody can be asked. */
async function waitForEffect(
  probe: Probe | undefined,
  event: ProverEvent,
  patienceSeconds: number,
): Promise<number | string | undefined> {
  if (probe === undefined) return 0
  const startedAt = performance.now()
  for (;;) {
    const count = await asked(probe, event)
    if (typeof count === 'string') return count
    if (count > 0) return performance.now() - startedAt
    if (performance.now() - startedAt > patienceSeconds * 1000) return undefined
    await pause(10)
  }
}

async function asked(probe: Probe, { id, objectId }: ProverEvent): Promise<number | string> {
  try {
    return await probe({ eventId: id, objectId })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function refusal(reply: Reply, output: string): string {
  const printed = output === '' ? '' : ` The server printed: ${output.trim().slice(-300)}`
  if (reply.kind !== 'answered') return `The endpoint cannot be reached: ${describeReply(reply)}.${printed}`
  const advice =
    reply.status >= 400 && reply.status < 500
      ? 'Is the secret the one that the endpoint verifies with, and the path the right one?'
      : 'The handler fails already at a plain event.'
  return `A correctly signed event was answered ${reply.status}. ${advice}${printed}`
}

function stranger(why: string): Introduction {
  return { kind: 'stranger', why }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
