/** Every code an `OncehookError` can carry. Codes are stable; messages may be reworded. */
export type OncehookErrorCode =
  | 'ONCEHOOK_INVALID_EFFECT'
  | 'ONCEHOOK_INVALID_OPTIONS'
  | 'ONCEHOOK_INVALID_VALUE'
  | 'ONCEHOOK_BODY_ALREADY_PARSED'
  | 'ONCEHOOK_BODY_REDACTED'
  | 'ONCEHOOK_BODY_UNAVAILABLE'
  | 'ONCEHOOK_PAYLOAD_NOT_JSON'
  | 'ONCEHOOK_CANNOT_DECRYPT'
  | 'ONCEHOOK_CANNOT_SIGN'
  | 'ONCEHOOK_COMMIT_UNKNOWN'
  | 'ONCEHOOK_CONFLICT'
  | 'ONCEHOOK_CONNECTION_TIMEOUT'
  | 'ONCEHOOK_CRASH_NOT_REACHED'
  | 'ONCEHOOK_EFFECT_FAILED'
  | 'ONCEHOOK_ENCRYPTION_KEY_UNAVAILABLE'
  | 'ONCEHOOK_FETCH_FAILED'
  | 'ONCEHOOK_GUARD_TIMED_OUT'
  | 'ONCEHOOK_GUARD_UNAVAILABLE'
  | 'ONCEHOOK_GUARD_UNRECORDED'
  | 'ONCEHOOK_HANDLER_ENDED_TRANSACTION'
  | 'ONCEHOOK_HANDLER_LEFT_STATEMENTS'
  | 'ONCEHOOK_HANDLER_SWALLOWED_FAILURE'
  | 'ONCEHOOK_HANDLER_TIMED_OUT'
  | 'ONCEHOOK_HISTORY_FAILED'
  | 'ONCEHOOK_HISTORY_MISMATCH'
  | 'ONCEHOOK_KEYS_UNAVAILABLE'
  | 'ONCEHOOK_LEASE_LOST'
  | 'ONCEHOOK_MISSING_PACKAGE'
  | 'ONCEHOOK_NOT_MIGRATED'
  | 'ONCEHOOK_NOT_SETTLED'
  | 'ONCEHOOK_PROVER_CANNOT_RUN'
  | 'ONCEHOOK_RUN_HELD'
  | 'ONCEHOOK_RUN_LOST'
  | 'ONCEHOOK_SCHEMA_NEWER'
  | 'ONCEHOOK_STOPPED'
  | 'ONCEHOOK_STORE_IN_USE'
  | 'ONCEHOOK_STORE_UNAVAILABLE'
  | 'ONCEHOOK_TRANSACTION_CLOSED'

/** The one error class of this package: a stable code, and a sentence that says what happened, to what, and what to do. */
export class OncehookError extends Error {
  readonly code: OncehookErrorCode

  constructor(code: OncehookErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'OncehookError'
    this.code = code
  }
}

/** True for an `OncehookError`, and if a code is given, for one with that code. */
export function isOncehookError(error: unknown, code?: OncehookErrorCode): error is OncehookError {
  return error instanceof OncehookError && (code === undefined || error.code === code)
}

const permanentMark: unique symbol = Symbol.for('oncehook.permanent')

/** Marks an error as one that no retry will cure: the event goes to the dead letters at once. Use as `throw permanent(error)`. */
export function permanent(reason: unknown): Error {
  const error = reason instanceof Error ? reason : new Error(String(reason))
  Object.defineProperty(error, permanentMark, { value: true, configurable: true })
  return error
}

/** True for an error that went through `permanent`. */
export function isPermanent(error: unknown): boolean {
  return typeof error === 'object' && error !== null && permanentMark in error
}

/** Takes out of a text what must not be kept. */
export type Hide = (text: string) => string

/** The text of anything that was thrown, short enough to store. Shortened last, as half a secret is still one. */
export function describeError(error: unknown, hide: Hide = (text) => text): string {
  // Some query builders put a statement's parameters into their message, and with them what must not be kept; the cause has the reason.
  if (error instanceof Error && 'params' in error && error.cause instanceof Error)
    return describeError(error.cause, hide)
  const text = error instanceof Error ? `${error.name}: ${error.message}` : `Thrown value: ${String(error)}`
  // A text column refuses NUL and lone surrogates.
  return hide(text.slice(0, 20_000)).replaceAll('\u0000', '\ufffd').toWellFormed().slice(0, 2000)
}

/** Every mistake in the options, in one error, so that they can be mended in one go. */
export function invalidOptions(subject: string, mistakes: readonly string[]): OncehookError {
  const list = mistakes.length === 1 ? ` ${mistakes[0]}` : `\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`
  return new OncehookError('ONCEHOOK_INVALID_OPTIONS', `${subject} cannot start:${list}`)
}

/** A handler asked for an effect that cannot be: the sentence says what to give instead. */
export function invalidEffect(handler: string, mistake: string): OncehookError {
  return new OncehookError('ONCEHOOK_INVALID_EFFECT', `Handler "${handler}": ${mistake}`)
}

/** An effect threw and the handler went on as if it had not; committed, its key would count as done. */
export function effectFailed(handler: string, effect: string, cause: unknown): OncehookError {
  return new OncehookError(
    'ONCEHOOK_EFFECT_FAILED',
    `In handler "${handler}" the ${effect} failed and the handler returned as if it had not, so everything was rolled back. ` +
      'Let the error pass, or catch it inside the function that the effect is given.',
    { cause },
  )
}

export function leaseLost(receiptId: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_LEASE_LOST',
    `Receipt ${receiptId} is now leased by another worker, so this attempt was rolled back. ` +
      'If this happens often, the process is blocked for longer than the lease: raise worker.leaseSeconds or look for long synchronous work.',
  )
}

export function handlerTimedOut(handler: string, seconds: number): OncehookError {
  return new OncehookError(
    'ONCEHOOK_HANDLER_TIMED_OUT',
    `Handler "${handler}" did not settle within ${seconds} s, so its transaction was rolled back and its connection closed. ` +
      'Give slow calls a deadline (the handler is passed an AbortSignal), or raise timeoutSeconds.',
  )
}

export function transactionClosed(): OncehookError {
  return new OncehookError(
    'ONCEHOOK_TRANSACTION_CLOSED',
    'This transaction belongs to a handler that has already returned or timed out, so the statement was not sent. ' +
      'Await every statement before the handler returns.',
  )
}
