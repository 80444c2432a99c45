import { OncehookError } from '../errors.ts'
import type { Answer } from '../verify/provider.ts'
import { answerOf, errorAnswer, refusalAnswer, sendable } from './answer.ts'
import { type BodyRoom, expectedBytes, leaveNothing } from './body-room.ts'
import { decompress, encodingOf } from './decompress.ts'
import { type Delivery, type DeliveryHeaders, firstHeader } from './delivery.ts'
import type { Door, DoorSettings, Refusal } from './door.ts'
import type { Outcome } from './outcome.ts'
import { type BodyRead, defaultReadSeconds } from './read-body.ts'

/** A request of whatever framework, its body still unread. */
export type IncomingRequest = {
  /** The source's name; undefined if the path has none. */
  readonly source: string | undefined
  readonly method: string
  /** The full URL as it looks from here. */
  readonly url: string
  readonly headers: DeliveryHeaders
  /** At once, where it is there already. */
  readonly readBody: (limitBytes: number) => BodyRead | Promise<BodyRead>
  /** How long a sender may take over its body, and how long a large one waits for its turn. Default 10. */
  readonly readSeconds?: number
  /** `unpacked`: what read the body has already undone its content-encoding. */
  readonly bodyState?: 'as_sent' | 'unpacked'
}

export type ReportError = (error: unknown) => void

/** A request becomes a delivery and is received, or is turned away. Never throws, and its answer can always be sent. */
export async function admit(door: Door, request: IncomingRequest, onError?: ReportError): Promise<Answer> {
  try {
    const { source, method, url, headers } = request
    const settings = source === undefined ? undefined : door.settingsOf(source)
    if (source === undefined || settings === undefined) {
      return refuse(door, request, { kind: 'unknown_source', source: (source ?? '').slice(0, 100) }, onError)
    }
    if (!settings.methods.includes(method)) {
      return refuse(door, request, { kind: 'method_not_allowed', allowed: settings.methods }, onError)
    }
    const entering = enterRoom(door, request, settings)
    // Hardly a body is large, and a promise for each of the others would be one too many.
    const leave = entering instanceof Promise ? await entering : entering
    if (leave === undefined) return refuse(door, request, noRoom, onError)
    try {
      const reading = readPlainBody(request, settings)
      const read = reading instanceof Promise ? await reading : reading
      if (read.kind !== 'complete') return refuse(door, request, read, onError)

      const delivery: Delivery = { method, url, headers, body: read.body }
      const outcome = await door.receive(source, delivery)
      return answerTo(door, { source, delivery, outcome }, onError)
    } finally {
      leave()
    }
  } catch (error) {
    report(error, door, onError)
    return errorAnswer
  }
}

/** Busy, and not too slow: it was not the sender who was waited for. */
const noRoom: Refusal = { kind: 'unavailable', reason: 'busy', retryAfterSeconds: 5 }

function enterRoom(
  { room }: Door,
  { method, headers, readSeconds = defaultReadSeconds }: IncomingRequest,
  { maximumBodyBytes }: DoorSettings,
): ReturnType<BodyRoom['enter']> {
  if (room === undefined) return leaveNothing
  const announcedLength = firstHeader(headers, 'content-length')
  const bytes = expectedBytes({ method, announcedLength, isPacked: headers.has('content-encoding') })
  // What is larger than allowed is refused before a byte is read.
  return bytes > maximumBodyBytes ? leaveNothing : room.enter(bytes, readSeconds)
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

/** Made only now: hardly a delivery needs it. */
function report(error: unknown, door: Door, onError: ReportError | undefined): void {
  reporter(onError ?? door.onError)(error)
}

type PlainBody = { readonly kind: 'complete'; readonly body: Uint8Array } | Refusal

function readPlainBody(
  request: IncomingRequest,
  { decompress: whenPacked, maximumBodyBytes }: DoorSettings,
): PlainBody | Promise<PlainBody> {
  const encoding = encodingOf(request.headers, whenPacked)
  if (encoding.kind === 'unsupported_encoding') return encoding
  const reading = request.readBody(maximumBodyBytes)
  if (encoding.kind === 'plain' || request.bodyState === 'unpacked') return reading
  const { unpack } = encoding
  return Promise.resolve(reading).then((read) =>
    read.kind === 'complete' ? decompress(read.body, unpack, maximumBodyBytes) : read,
  )
}

function refuse(door: Door, { source = '' }: IncomingRequest, refusal: Refusal, onError?: ReportError): Answer {
  try {
    door.onRefused?.(source, refusal)
  } catch (error) {
    report(error, door, onError)
  }
  return refusalAnswer(refusal, door.settingsOf(source))
}

/** By now the event may be recorded, so a faulty answer of a handler or provider gives way to ours instead of a 500. */
function answerTo(
  door: Door,
  { source, delivery, outcome }: { readonly source: string; readonly delivery: Delivery; readonly outcome: Outcome },
  onError?: ReportError,
): Answer {
  try {
    const answer = sendable(door.answer(source, delivery, outcome))
    if (answer !== undefined) return answer
    report(unsendableAnswer(outcome), door, onError)
  } catch (error) {
    report(error, door, onError)
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
