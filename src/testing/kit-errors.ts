import { OncehookError } from '../errors.ts'
import type { CrashPoint } from './crash-points.ts'

/** What the point needs in order to be passed. */
const hints: Readonly<Record<CrashPoint, string>> = {
  record:
    'Only queued events are recorded on their own: is the handler in queued mode, and did the delivery come for the first time?',
  claim: 'Only workers claim, so call inbox.settle() in the work: is there a queued event?',
  handler: 'Did a handler run, and did it return? One that throws is rolled back anyway.',
  commit: 'Did a handler run and return without an error?',
  send: 'Only the relay sends, so call inbox.settle() in the work: is there a message, and did its target take it?',
}

export function crashNotReached(point: CrashPoint): OncehookError {
  return new OncehookError(
    'ONCEHOOK_CRASH_NOT_REACHED',
    `The work ended before the point "${point}" was passed, so nothing crashed. ${hints[point]}`,
  )
}

export function workNeverEnds(): OncehookError {
  return new OncehookError(
    'ONCEHOOK_NOT_SETTLED',
    'The process ended as was asked for, but the work that was given to crashAfter waits for it for ever. ' +
      'Use inbox.deliver and inbox.settle there: they end with it.',
  )
}

export function notSettled(reason: string, pending: readonly string[]): OncehookError {
  const list = pending.length === 0 ? '' : `\n${pending.map((line) => `  - ${line}`).join('\n')}`
  return new OncehookError('ONCEHOOK_NOT_SETTLED', `The inbox does not settle: ${reason}${list}`)
}
