import { OncehookError } from '../errors.ts'
import type { Answer } from '../verify/provider.ts'
import { answerOf, errorAnswer, refusalAnswer, sendable } from './answer.ts'
import { decompress, encodingOf } from './decompress.ts'
import type { Delivery, DeliveryHeaders } from './delivery.ts'
import type { Door, DoorSettings, Refusal } from './door.ts'
import type { Outcome } from './outcome.ts'
import type { BodyRead } from './read-body.ts'

/** A request of whatever framework, its body still unread. */
export type IncomingRequest = {
  /** The source's name; undefined if the path has none. */
  readonly source: string | undefined
  readonly method: string
  /** The full URL as it looks from here. */
  readonly url: string
  readonly headers: DeliveryHeaders
  readonly readBody: (limitBytes: number) => Promise<BodyRead>
  /** `unpacked`: what read the body has already undone its content-encoding. */
  readonly bodyState?: 'as_sent' | 'unpacked'
}

export type ReportError = (error: unknown) => void

/** A request becomes a delivery and is received, or is turned away. Never throws, and its answer can always be sent. */
export async function admit(door: Door, request: IncomingRequest, onError?: ReportError): Promise<Answer> {
  const report = reporter(onError ?? door.onError)
  try {
    const admitted = await toDelivery(door, request)
    if (admitted.kind !== 'delivery') return refuse(door, request, admitted, report)
    const { source, delivery } = admitted
    const outcome = await door.receive(source, delivery)
    return chooseAnswer(() => door.answer(source, delivery, outcome), outcome, report)
  } catch (error) {
    report(error)
    return errorAnswer
  }
}

/** A listener that throws must not cost the sender its answer. */
export function reporter(onError: ReportError = (error) => console.error(error)): ReportError {
  return (error) => {
    try {
      onError(error)
    } catch {
      // There is nowhere left to say it.
    }
  }
}

type Admitted = { readonly kind: 'delivery'; readonly source: string; readonly delivery: Delivery } | Refusal

async function toDelivery(door: Door, request: IncomingRequest): Promise<Admitted> {
  const { source, method, headers } = request
  const settings = source === undefined ? undefined : door.settingsOf(source)
  if (source === undefined || settings === undefined) {
    return { kind: 'unknown_source', source: (source ?? '').slice(0, 100) }
  }
  if (!settings.methods.includes(method)) return { kind: 'method_not_allowed', allowed: settings.methods }

  const read = await readPlainBody(request, settings)
  if (read.kind !== 'complete') return read
  return { kind: 'delivery', source, delivery: { method, url: request.url, headers, body: read.body } }
}

async function readPlainBody(
  { headers, readBody, bodyState }: IncomingRequest,
  { decompress: whenPacked, maximumBodyBytes }: DoorSettings,
): Promise<{ readonly kind: 'complete'; readonly body: Uint8Array } | Refusal> {
  const encoding = encodingOf(headers, whenPacked)
  if (encoding.kind === 'unsupported_encoding') return encoding
  const read = await readBody(maximumBodyBytes)
  if (read.kind !== 'complete' || encoding.kind === 'plain' || bodyState === 'unpacked') return read
  return decompress(read.body, encoding.unpack, maximumBodyBytes)
}

function refuse(door: Door, { source = '' }: IncomingRequest, refusal: Refusal, report: ReportError): Answer {
  try {
    door.onRefused?.(source, refusal)
  } catch (error) {
    report(error)
  }
  return refusalAnswer(refusal, door.settingsOf(source))
}

/** By now the event may be recorded, so a faulty answer of a handler or provider gives way to ours instead of a 500. */
function chooseAnswer(choose: () => Answer, outcome: Outcome, report: ReportError): Answer {
  try {
    const answer = sendable(choose())
    if (answer !== undefined) return answer
    report(unsendableAnswer(outcome))
  } catch (error) {
    report(error)
  }
  return sendable(answerOf(withoutAnswer(outcome))) ?? errorAnswer
}

function withoutAnswer(outcome: Outcome): Outcome {
  if (outcome.kind !== 'processed') return outcome
  return { kind: 'processed', receiptId: outcome.receiptId, eventId: outcome.eventId }
}

function unsendableAnswer(outcome: Outcome): OncehookError {
  return new OncehookError(
    'ONCEHOOK_INVALID_OPTIONS',
    `The answer chosen for a delivery that was ${outcome.kind} cannot be sent, so the usual one was sent instead. ` +
      'Its status must be a whole number from 200 to 599, and its headers plain Latin text without line breaks.',
  )
}
