import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { emptyBatch } from '../verify/empty-batch.ts'
import { parseJsonOrLines } from '../verify/json-lines.ts'
import { field } from '../verify/object.ts'
import { oneOrMany } from '../verify/one-or-many.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { token } from '../verify/schemes/token.ts'

/** Auth0 Log Streams to a custom webhook. The secret is the stream's Authorization Token, the whole value of the header. https://auth0.com/docs/customize/log-streams/custom-log-streams */
export const auth0LogStreams: (options: ProviderOptions) => Provider = defineProvider({
  name: 'auth0-log-streams',
  title: 'Auth0 Log Streams',
  documentation: 'https://auth0.com/docs/customize/log-streams/custom-log-streams',
  scheme: token({ header: 'authorization' }),
  idField: '"log_id" of each log event',
  isIdSigned: false,
  isBatch: true,
  readDocument: ({ body }, numbers) => parseJsonOrLines(body, numbers),
  identify: ({ document }) =>
    oneOrMany(document, (log) => ({
      id: field(log, 'log_id'),
      type: field(log, 'data.type'),
      objectId: field(log, 'data.user_id'),
      occurredAt: fromDateText(field(log, 'data.date')),
    })),
  handshakes: { after_verification: emptyBatch((document) => document) },
  confidence: 'documents',
  order: 'not_guaranteed',
  uncertain: ['the fields of a log event', 'how long it tries again', 'how long it waits for an answer'],
  surprises: [
    'By default a body has one JSON document per line; the stream can also be set to send lists or single objects, and all three are understood.',
    'The Authorization Token is optional in Auth0 and needed here; it is sent as it is, without "Bearer" unless you write that.',
    'Types are codes of a few letters, such as "s" for a login and "fp" for a wrong password.',
    'After errors in a row the stream is switched off; started again, it goes on where it was.',
  ],
  compose: ({ id, type, payload }, at) => {
    const logId = id ?? payload?.log_id ?? freshId('90020')
    const data = { date: at.toISOString(), user_id: `auth0|${freshId()}`, ...(payload?.data as object | undefined) }
    return jsonEvent({
      ...payload,
      log_id: logId,
      data: { ...data, log_id: logId, type: type ?? field(data, 'type') ?? 's' },
    })
  },
})
