import type { DeliveryEvent, HandlerEvent, InboxEvent, InboxListener, MessageEvent, UpkeepEvent } from '../events.ts'

/** The part of a logger that is used: pino, winston, bunyan and console-like loggers fit. */
export type EventLogger = {
  readonly info: (fields: object, message: string) => void
  readonly warn: (fields: object, message: string) => void
  readonly error: (fields: object, message: string) => void
}

/** One line per handler run and a distinct one per duplicate, with the identifiers an incident needs. Never a secret or a payload. */
export function logTo(logger: EventLogger): InboxListener {
  return (event) => {
    const { level, message } = lineOf(event)
    // Every delivery comes by here, and what nobody reads need not be written.
    if (logger[level] === unheard) return
    const { kind: _, ...fields } = event
    logger[level](fields, message)
  }
}

/** What an inbox without a logger says: only what someone should look at, on standard error. */
export const warningsToConsole: EventLogger = {
  info: unheard,
  warn: (fields, message) => console.warn(`oncehook: ${message}`, fields),
  error: (fields, message) => console.error(`oncehook: ${message}`, fields),
}

function unheard(): void {}

/** A logger whose every line carries these fields, which are worked out for a line. */
export function withFields(logger: EventLogger, fields: () => object): EventLogger {
  return {
    info: (more, message) => logger.info({ ...fields(), ...more }, message),
    warn: (more, message) => logger.warn({ ...fields(), ...more }, message),
    error: (more, message) => logger.error({ ...fields(), ...more }, message),
  }
}

type Line = { readonly level: 'info' | 'warn' | 'error'; readonly message: string }

function lineOf(event: InboxEvent): Line {
  switch (event.kind) {
    case 'delivery':
      return deliveryLine(event)
    case 'handler':
      return handlerLine(event)
    case 'effect':
      return { level: 'info', message: passedOver[event.outcome] }
    case 'message':
      return messageLine(event)
    case 'upkeep':
      return upkeepLine(event)
    case 'capture':
      return event.outcome === 'unrecorded'
        ? { level: 'error', message: 'request not captured' }
        : { level: 'info', message: 'request captured' }
    case 'notice':
      return { level: event.level === 'warning' ? 'warn' : event.level, message: event.message }
  }
}

const passedOver = {
  skipped: 'effect skipped, it was applied before',
  stale: 'stale event not applied',
  same_change: 'handler not run, another event told of the same change',
} as const

function deliveryLine({ outcome, reason, repeatsEventId }: DeliveryEvent): Line {
  const body = repeatsEventId === undefined ? '' : ', with the body of another event'
  switch (outcome) {
    case 'accepted':
    case 'processed':
    case 'ignored':
    case 'handshake':
      return { level: 'info', message: `webhook ${outcome}${body}` }
    case 'duplicate':
      if (reason === 'mutated') return { level: 'warn', message: 'webhook duplicate with another body' }
      // By its id alone it would have taken effect.
      return { level: reason === 'replayed_body' ? 'warn' : 'info', message: `webhook duplicate${body}` }
    case 'forged':
    case 'malformed':
    case 'refused':
    case 'failed':
      return { level: 'warn', message: `webhook ${outcome}${body}` }
    case 'unavailable':
      return { level: 'error', message: 'webhook not taken' }
  }
}

function messageLine({ outcome }: MessageEvent): Line {
  switch (outcome) {
    case 'published':
      return { level: 'info', message: 'message published' }
    case 'retrying':
      return { level: 'warn', message: 'message not published, will be retried' }
    case 'dead':
      return { level: 'error', message: 'message not published for good, it is a dead letter' }
  }
}

function upkeepLine({ task, outcome }: UpkeepEvent): Line {
  switch (outcome) {
    case 'done':
    case 'unfinished':
    case 'stopped':
      return { level: 'info', message: `upkeep of ${task} ${outcome}` }
    case 'lease_lost':
      return { level: 'warn', message: `upkeep of ${task} was taken over by another process` }
    case 'failed':
      return { level: 'error', message: `upkeep of ${task} failed, will be tried again` }
  }
}

function handlerLine({ outcome }: HandlerEvent): Line {
  switch (outcome) {
    case 'succeeded':
      return { level: 'info', message: 'handler succeeded' }
    case 'deferred':
      return { level: 'info', message: 'handler deferred' }
    case 'retrying':
      return { level: 'warn', message: 'handler failed, will be retried' }
    case 'rolled_back':
      return { level: 'warn', message: 'handler failed and was rolled back' }
    case 'lease_lost':
      return { level: 'warn', message: 'handler rolled back, its lease was lost' }
    case 'abandoned':
      return { level: 'warn', message: 'handler abandoned, its worker died or froze' }
    case 'dead':
      return { level: 'error', message: 'handler failed for good, event is a dead letter' }
  }
}
