import { isDeepStrictEqual } from 'node:util'
import type { Clock, Delivery, Provider } from '../index.ts'
import type { Reply, Sender } from '../prover/sender.ts'
import { type GreetingInput, type GreetingRequest, greetings } from './greetings.ts'
import type { GreetingReport, GreetingStep } from './report.ts'

export type GreetOptions = {
  readonly provider: Provider
  readonly sender: Sender
  readonly input: GreetingInput
  readonly clock: Pick<Clock, 'now'>
}

/** Greets the endpoint as the provider does before it sends events. */
export async function greet({ provider, sender, input, clock }: GreetOptions): Promise<GreetingReport> {
  const requests = Object.hasOwn(greetings, provider.name) ? greetings[provider.name]?.(input) : undefined
  if (requests === undefined) return { kind: 'none' }
  if (typeof requests === 'string') return { kind: 'skipped', why: requests }
  const steps: GreetingStep[] = []
  for (const request of requests) {
    const delivery = deliveryOf(provider, request, { url: input.url, at: clock.now() })
    const reply = await (await sender.load(delivery)).release()
    const saw = await whatIsWrong(provider, { request, delivery, reply })
    steps.push({ what: request.what, isPassed: saw === undefined, saw: saw ?? describe(reply) })
  }
  return { kind: steps.every(({ isPassed }) => isPassed) ? 'passed' : 'failed', steps }
}

function deliveryOf(
  provider: Provider,
  { request, proof }: GreetingRequest,
  { url, at }: { readonly url: string; readonly at: Date },
): Delivery {
  if (proof === 'none') return bare({ url, ...request })
  const delivery = provider.sign({ url, ...request }, at)
  if (proof === 'signed') return delivery
  // Still the same JSON, but not the bytes that were signed.
  return { ...delivery, body: Buffer.concat([delivery.body, Buffer.from('\n')]) }
}

function bare({ url = '', method = 'POST', headers = {}, body = '' }: GreetingRequest['request']): Delivery {
  return {
    url,
    method,
    headers: new Map(Object.entries(headers).map(([name, value]) => [name, [value]])),
    body: typeof body === 'string' ? Buffer.from(body, 'utf8') : body,
  }
}

type Asked = { readonly request: GreetingRequest; readonly delivery: Delivery; readonly reply: Reply }

/** In words; undefined if the answer is the one that was wanted. */
async function whatIsWrong(provider: Provider, { request, delivery, reply }: Asked): Promise<string | undefined> {
  const { statuses, holds, header, isProof } = request.wants
  if (reply.kind !== 'answered') return describe(reply)
  const isStatus = statuses === '2xx' ? reply.status >= 200 && reply.status < 300 : statuses.includes(reply.status)
  if (!isStatus) return `${reply.status} instead of ${statuses === '2xx' ? statuses : statuses.join(' or ')}`
  const body = reply.body ?? ''
  if (holds !== undefined && !body.includes(holds))
    return `${reply.status}, but its body does not hold what was asked for`
  if (header !== undefined && reply.headers?.[header] === undefined)
    return `${reply.status}, but without the header ${header}`
  if (isProof === true && !(await isOurs(provider, delivery, body))) {
    return `${reply.status}, but its body does not prove that the secret is known`
  }
  return undefined
}

/** The provider of this side knows the same secret, and with it the right answer. */
async function isOurs(provider: Provider, delivery: Delivery, body: string): Promise<boolean> {
  for (const stage of ['before_verification', 'after_verification'] as const) {
    const answer = await provider.handshake(delivery, stage)
    if (answer !== undefined && 'status' in answer && answer.body !== undefined) return same(answer.body, body)
  }
  return false
}

/** Text is compared as it is, JSON by its content. */
function same(expected: string, given: string): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(given), JSON.parse(expected))
  } catch {
    return given.trim() === expected.trim()
  }
}

function describe(reply: Reply): string {
  if (reply.kind === 'answered') return String(reply.status)
  return reply.kind === 'hung_up' ? 'hung up' : reply.reason
}
