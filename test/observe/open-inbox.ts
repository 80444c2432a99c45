import {
  createInbox,
  defineProvider,
  field,
  hmac,
  type Inbox,
  type InboxOptions,
  type Provider,
  plain,
  type SourceMap,
  signature,
  utf8Secret,
} from '../../src/index.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { test as base } from '../support/inbox.ts'

export const secret = 'a secret of these tests 0123456789'

type Open = <const Sources extends SourceMap>(
  options: Omit<InboxOptions<PgTransaction, Sources>, 'store'>,
) => Inbox<PgTransaction, Sources>

/** Inboxes with any sources, on this test's schema. Each has a store of its own, as each of several processes would. */
export const test = base.extend<{ readonly openInbox: Open }>({
  openInbox: async ({ database }, use) => {
    const opened: { readonly close: () => Promise<void> }[] = []
    await use((options) => {
      const store = postgresStore(database.url, { schema: database.schema })
      const inbox = createInbox({ logger: silent, retry: { firstSeconds: 0 }, ...options, store })
      opened.push({ close: () => inbox.close({ graceSeconds: 0 }) })
      return inbox
    })
    await Promise.all(opened.map(({ close }) => close()))
  },
})

const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** A provider that waits for so long for an answer. */
export function providerWithDeadline(
  deadlineSeconds: number,
  secrets: string | readonly string[] | (() => string) = secret,
): Provider {
  return defineProvider({
    name: 'clocked',
    deadlineSeconds,
    retryHours: 24,
    isIdSigned: true,
    scheme: signature({
      header: 'x-signature',
      format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
      over: '{body}',
      secret: utf8Secret,
    }),
    identify: ({ document }) => ({ id: field(document, 'id'), type: field(document, 'type') }),
  })({ secret: secrets })
}
