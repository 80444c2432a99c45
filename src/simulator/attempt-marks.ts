import type { SendingReason } from './report.ts'

/** One attempt to send an event, seen from its provider. */
export type MarkInput = {
  /** 1 for the first. */
  readonly attempt: number
  /** Why it is not the first. */
  readonly reason: SendingReason | undefined
  readonly firstAt: Date
  /** The body of the first attempt, as JSON, if it is that. */
  readonly document: unknown
  /** 32 new hexadecimal digits. */
  readonly fresh: string
}

/** What an attempt has that the first has not, before it is signed. */
export type Marks = {
  readonly headers?: Readonly<Record<string, string>>
  readonly document?: unknown
}

/** How providers mark attempts. Those that are not here send the same bytes again, with a new signature where it holds the time. */
export const attemptMarks: Readonly<Record<string, (input: MarkInput) => Marks>> = {
  bitbucket: ({ attempt }) => ({ headers: { 'x-attempt-number': String(attempt) } }),
  box: ({ fresh }) => ({ headers: { 'box-delivery-id': uuid(fresh) } }),
  hubspot: ({ attempt, document }) => ({ document: eachWith(document, { attemptNumber: attempt - 1 }) }),
  intercom: ({ attempt, document }) => ({ document: joined(document, { delivery_attempts: attempt }) }),
  jira: ({ attempt }) => (attempt === 1 ? {} : { headers: { 'x-atlassian-webhook-retry': String(attempt - 1) } }),
  line: ({ attempt, document }) =>
    attempt === 1 ? {} : { document: within(document, 'events', { deliveryContext: { isRedelivery: true } }) },
  notion: ({ attempt, document }) => ({ document: joined(document, { attempt_number: attempt }) }),
  slack: ({ attempt, reason }) =>
    attempt === 1
      ? {}
      : {
          headers: {
            'x-slack-retry-num': String(attempt - 1),
            'x-slack-retry-reason': slackReasons[reason ?? 'status'],
          },
        },
  square: ({ attempt, reason, firstAt }) =>
    attempt === 1
      ? {}
      : {
          headers: {
            'square-initial-delivery-timestamp': firstAt.toISOString(),
            'square-retry-number': String(attempt - 1),
            'square-retry-reason': squareReasons[reason ?? 'status'],
          },
        },
  telnyx: ({ attempt, document }) => ({ document: inside(document, 'meta', { attempt }) }),
  'twitch-eventsub': ({ attempt }) => ({ headers: { 'twitch-eventsub-message-retry': String(attempt - 1) } }),
}

const slackReasons: Readonly<Record<SendingReason, string>> = {
  status: 'http_error',
  timeout: 'http_timeout',
  connection: 'connection_failed',
}

const squareReasons: Readonly<Record<SendingReason, string>> = {
  status: 'http_error',
  timeout: 'http_timeout',
  connection: 'other_error',
}

function joined(document: unknown, more: object): unknown {
  return typeof document === 'object' && document !== null ? { ...document, ...more } : document
}

function eachWith(document: unknown, more: object): unknown {
  return Array.isArray(document) ? document.map((item: unknown) => joined(item, more)) : document
}

function inside(document: unknown, name: string, more: object): unknown {
  if (typeof document !== 'object' || document === null || !Object.hasOwn(document, name)) return document
  return { ...document, [name]: joined((document as Readonly<Record<string, unknown>>)[name], more) }
}

function within(document: unknown, name: string, more: object): unknown {
  if (typeof document !== 'object' || document === null) return document
  return { ...document, [name]: eachWith((document as Readonly<Record<string, unknown>>)[name], more) }
}

function uuid(digits: string): string {
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}
