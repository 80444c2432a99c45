import type { InboxListener } from '../events.ts'
import type { Arrival, CaptureAnswer, CaptureStore, Decide, HeaderPair } from '../store/capture-store.ts'
import { type AutomationAnswer, answerWith, automationAnswer, defaultAnswer, ruleAnswer } from './answer.ts'
import type { CaptureDoor, IncomingCapture } from './door.ts'
import type { IdentifyCapture } from './identify.ts'
import { matchRules } from './match-rule.ts'
import { type CaptureSettings, isEndpointName } from './options.ts'
import { captureRequest } from './request.ts'
import type { CheckedRule } from './rule.ts'

/** A capture as automations are told of it. */
export type CaptureRecord = {
  readonly id: string
  readonly endpoint: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: readonly HeaderPair[]
  readonly body: Uint8Array
  readonly at: Date
}

/** Called once a request is recorded, and before it is answered. What it resolves with is the answer, unless a rule gave one. */
export type OnCapture = (capture: CaptureRecord) => Promise<AutomationAnswer | undefined>

export type ReceiveParts = {
  readonly store: CaptureStore
  readonly environment: string
  readonly settings: CaptureSettings
  readonly identify: IdentifyCapture
  readonly random: () => number
  readonly now: () => Date
  readonly emit: InboxListener
  readonly report: (error: unknown) => void
  readonly onCapture: OnCapture | undefined
}

/** Writes requests down, and decides what they are answered with. */
export function createReceive(parts: ReceiveParts): CaptureDoor['receive'] {
  const { store, environment, settings, identify, emit, report } = parts
  const limits = { requests: settings.keepRequests, bytes: settings.keepBytes, days: settings.keepDays }
  const mostEndpoints = settings.createOnUse ? settings.mostEndpoints : undefined

  return async (incoming) => {
    if (!isEndpointName(incoming.endpoint)) return unknownEndpoint
    try {
      const { endpoint: name } = incoming
      const identity = incoming.problem === undefined ? await identify({ ...incoming, name }) : undefined
      const arrival: Arrival = { ...incoming, environment, identity, limits, mostEndpoints }
      const recorded = await store.record(arrival, decider(incoming))
      if (recorded.kind === 'unknown_endpoint') return unknownEndpoint
      if (recorded.kind === 'too_many_endpoints') return tooManyEndpoints
      const answer = await automated(recorded.id, recorded.answer, incoming)
      emit({ kind: 'capture', outcome: answer.kind, captureId: recorded.id, ...eventOf(arrival), ...toldOf(answer) })
      return answer
    } catch (error) {
      report(error)
      emit({ kind: 'capture', outcome: 'unrecorded', ...eventOf(incoming), status: 503 })
      return unavailable
    }
  }

  function decider(incoming: IncomingCapture): Decide {
    const { problem } = incoming
    if (problem !== undefined)
      return () => ({ answer: problemAnswer(problem, settings), counted: [], answeredBy: undefined })
    const request = captureRequest(incoming)
    return ({ id, rules }) => {
      const checked = rules.map(({ rule, counted }) => ({ rule: JSON.parse(rule) as CheckedRule, counted }))
      const match = matchRules(checked, request, parts.random)
      const rule = match.answeredBy === undefined ? undefined : checked[match.answeredBy]?.rule
      return { ...match, answer: rule === undefined ? defaultAnswer({ id }) : ruleAnswer(rule, { request, id }) }
    }
  }

  /** A rule was given on purpose, so it wins; the automation runs all the same. */
  async function automated(id: string, answer: CaptureAnswer, incoming: IncomingCapture): Promise<CaptureAnswer> {
    if (parts.onCapture === undefined || incoming.problem !== undefined) return answer
    const { endpoint, method, path, query, headers, content } = incoming
    const record = { id, endpoint, method, path, query, headers, body: content, at: parts.now() }
    const given = await parts.onCapture(record)
    if (given === undefined || answer.origin === 'rule') return answer
    const changed = automationAnswer(given)
    await store.changeAnswer({ environment, id, answer: changed })
    return changed
  }
}

type Told = Omit<Extract<Parameters<InboxListener>[0], { readonly kind: 'capture' }>, 'kind' | 'outcome' | 'captureId'>

function eventOf(given: IncomingCapture & Partial<Pick<Arrival, 'identity'>>): Told {
  const { endpoint, method, path, bytes, tookMilliseconds, problem, identity } = given
  return { endpoint, method, path, bytes, tookMilliseconds, ...(problem !== undefined && { problem }), ...identity }
}

function toldOf({ status, rule }: CaptureAnswer): Pick<Told, 'status' | 'rule'> {
  return { ...(status !== undefined && { status }), ...(rule !== undefined && { rule }) }
}

const unknownEndpoint = answerWith({ status: 404, document: { verdict: 'unknown_endpoint' } })
const tooManyEndpoints = answerWith({ status: 429, document: { verdict: 'too_many_endpoints' } })
const unavailable = answerWith({
  status: 503,
  document: { verdict: 'unavailable' },
  headers: [['retry-after', '5']],
})

function problemAnswer(problem: NonNullable<Arrival['problem']>, { maximumBodyBytes }: CaptureSettings): CaptureAnswer {
  switch (problem) {
    case 'too_large':
      return answerWith({ status: 413, document: { verdict: problem, limitBytes: maximumBodyBytes } })
    case 'too_slow':
      return answerWith({ status: 408, document: { verdict: problem } })
    case 'cut_short':
      return {
        ...answerWith({ status: 400, document: {} }),
        kind: 'none',
        status: undefined,
        headers: [],
        body: Buffer.alloc(0),
      }
  }
}
