import type { ProverEvent } from '../events.ts'
import { failed, passed } from '../findings.ts'
import { judgeOnce, unseen } from '../judge.ts'
import type { Scenario, Stage } from '../scenario.ts'
import { describeReply, isAcknowledged, type Reply } from '../sender.ts'
import { notAcknowledged } from './copies.ts'

type HostileBody = { readonly name: string; readonly body: Uint8Array }

const hostileBodies: readonly HostileBody[] = [
  { name: 'no body', body: bytes('') },
  { name: 'text', body: bytes('hello') },
  {
    name: 'half a document',
    body: bytes('{"id":"evt_half","type":"invoice.paid","data":{"object":{'),
  },
  { name: 'bytes that are no text', body: Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22) },
  { name: 'null', body: bytes('null') },
  { name: 'a number', body: bytes('42') },
  { name: 'a list', body: bytes('[]') },
  { name: 'an object without an id', body: bytes('{}') },
  { name: 'an id that is null', body: bytes('{"id":null,"type":null,"data":null}') },
  {
    name: 'an id that is an object',
    body: bytes('{"id":{"$gt":""},"type":["a"],"data":{"object":7}}'),
  },
  {
    name: 'an id with a zero byte',
    body: bytes('{"id":"evt_\\u0000","type":"invoice.paid","data":{}}'),
  },
  {
    name: 'a prototype',
    body: bytes('{"__proto__":{"id":"evt_p"},"constructor":{"prototype":{}}}'),
  },
  { name: 'very deep nesting', body: bytes('['.repeat(20_000) + ']'.repeat(20_000)) },
  {
    name: 'a very long id',
    body: bytes(`{"id":"evt_${'a'.repeat(300_000)}","type":"x","data":{}}`),
  },
]

function bytes(text: string): Uint8Array {
  return Buffer.from(text, 'utf8')
}

export const hostileInput: Scenario = {
  name: 'hostile-input',
  group: 'input',
  promise: 'Malformed and hostile bodies, signed or not, are answered with a 4xx, never a 5xx, never with silence.',
  async run(stage) {
    const answers: string[] = []
    for (const hostile of hostileBodies) {
      for (const delivery of [signed(stage, hostile), unsignedOf(stage, hostile)]) {
        if (delivery === undefined) continue
        const reply = await stage.courier.send({
          event: delivery.event,
          label: hostile.name,
          delivery: delivery.delivery,
        })
        const problem = problemOf(stage, delivery, reply)
        if (problem !== undefined) return failed('bad_answer', `${hostile.name} → ${problem}`)
        answers.push(describeReply(reply))
      }
    }
    const event = stage.events.fresh()
    const isTaken = await stage.courier.sendUntilAcknowledged({ event, label: 'an event afterwards' })
    if (!isTaken) return notAcknowledged('An event after them')
    const finding = await judgeOnce(stage, [event], { did: 'an event afterwards' })
    if (finding.kind === 'failed') return finding
    const saw = `${answers.length} bodies answered ${[...new Set(answers)].toSorted().join(', ')}; an event afterwards was taken`
    return finding.kind === 'unseen' ? unseen(saw) : passed(saw)
  },
}

type Hostile = {
  readonly event: ProverEvent
  readonly delivery: ReturnType<ProverEvent['deliver']>
  readonly isSigned: boolean
}

/** Not every provider can sign everything. */
function signed({ provider, events }: Stage, { body }: HostileBody): Hostile | undefined {
  const event = events.fresh()
  const { url, method, headers } = event.deliver(new Date())
  const plain = Object.fromEntries([...headers].map(([name, values]) => [name, values.join(', ')]))
  try {
    return { event, delivery: provider.sign({ url, method, headers: plain, body }, new Date()), isSigned: true }
  } catch {
    return undefined
  }
}

/** With the signature of another body. */
function unsignedOf({ events }: Stage, { body }: HostileBody): Hostile {
  const event = events.fresh()
  return { event, delivery: { ...event.deliver(new Date()), body }, isSigned: false }
}

/** What is wrong with the answer, if anything is. A document that could be an event of somebody else may be taken and ignored. */
function problemOf({ provider }: Stage, { delivery, isSigned }: Hostile, reply: Reply): string | undefined {
  if (reply.kind !== 'answered') return describeReply(reply)
  const { status } = reply
  const { forged, malformed } = provider.refusalStatus
  if (status === forged || status === malformed) return undefined
  if (status >= 500) return String(status)
  // Whether forgeries are believed is the question of other scenarios.
  const mustRefuse = isSigned && !isDocument(delivery.body) && 'kind' in provider.identify(delivery)
  return mustRefuse && isAcknowledged(reply) ? `${status}, as if it had been an event` : undefined
}

function isDocument(body: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(body).toString('utf8'))
    return true
  } catch {
    return false
  }
}

const eventsAtOnce = 50

export const deadline: Scenario = {
  name: 'deadline',
  group: 'input',
  promise: 'Every answer comes before the provider gives up waiting, also when many events come at once.',
  async run(stage) {
    const limit = stage.settings.deadlineSeconds * 1000
    const events = Array.from({ length: eventsAtOnce }, () => stage.events.fresh())
    const times: number[] = []
    const startedAt = performance.now()
    const replies = await stage.courier.sendTogether(
      events.map((event, index) => ({ event, label: `event ${index + 1}` })),
      () => times.push(performance.now() - startedAt),
    )
    const slowest = Math.max(...times)
    const saw = `${eventsAtOnce} events at once, slowest answer ${(slowest / 1000).toFixed(2)} s of ${stage.settings.deadlineSeconds} s`
    if (slowest > limit) return failed('too_slow', saw)
    for (const [index, event] of events.entries()) {
      if (isAcknowledged(replies[index] as Reply)) continue
      if (!(await stage.courier.sendUntilAcknowledged({ event, label: `event ${index + 1}, again` }))) {
        return notAcknowledged(`Event ${index + 1}`)
      }
    }
    return judgeOnce(stage, events, { did: saw })
  },
}
