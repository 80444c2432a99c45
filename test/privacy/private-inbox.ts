import { type TestAPI, test } from 'vitest'
import {
  createInbox,
  type DeliveryInput,
  type Inbox,
  type InboxEvent,
  type InboxOptions,
  type Provider,
} from '../../src/index.ts'
import { hmac } from '../../src/providers/hmac.ts'
import { sendgrid } from '../../src/providers/sendgrid.ts'
import type { MakeStore, StoreUnderTest } from '../store/store-under-test.ts'

/** What must be found nowhere. */
export const card = '4242424242424242'
export const email = 'ada.lovelace@example.com'
const bearer = 'bearer-token-of-the-gateway'
const planted = [card, email, bearer] as const

const secret = 'the shared secret of the shop and us'

/** A sender of any body: its ids are in headers. */
function shop(options: Partial<Parameters<typeof hmac>[0]> = {}): Provider {
  return hmac({
    secret,
    header: 'x-shop-signature',
    id: { header: 'x-shop-id' },
    type: { header: 'x-shop-type' },
    ...options,
  })
}

/** An order as the shop sends it: with what must not be stored, a number that JavaScript would round, and odd spaces. */
export function order(id: string): string {
  return `{ "id":"${id}", "order":{"id":"o-1","total":12345678901234567890.10,"card":{"number":"${card}"},
    "lines":[{"sku":"a","email":"${email}"},{"sku":"b","email":"${email}"}]} }`
}

export const orderPaths = ['$.order.card', 'order.lines[*].email'] as const

/** A signed delivery, with headers that somebody on the way has added. */
export function signed(
  id: string,
  body: string | Uint8Array = order(id),
  {
    type = 'order.paid',
    headers = {},
  }: { readonly type?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): DeliveryInput {
  return shop().sign(
    {
      id,
      type,
      body,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${bearer}`,
        'x-api-key': bearer,
        cookie: `session=${bearer}`,
        'x-forwarded-uri': `/in/shop?token=${bearer}`,
        ...headers,
      },
    },
    new Date(),
  )
}

type Options<Tx> = Partial<Omit<InboxOptions<Tx>, 'store' | 'sources'>> & {
  readonly shop?: Parameters<typeof shop>[0]
  readonly batches?: Partial<Parameters<typeof sendgrid>[0]>
}

export type PrivateInbox<Tx> = Inbox<Tx, { readonly shop: Provider; readonly batches: Provider }> & {
  readonly told: readonly InboxEvent[]
}

/** An inbox on the store under test, and the rows behind it. */
export type PrivateSubject<Tx> = StoreUnderTest<Tx> & {
  readonly inbox: (options?: Options<Tx>) => PrivateInbox<Tx>
  /** Every row of every table, as text: bytes are hexadecimal digits in it. */
  readonly rows: () => Promise<string>
  /** Which of these texts is in any column of any table, as it is or as bytes. */
  readonly leaks: (texts?: readonly string[]) => Promise<readonly string[]>
}

export const batches = sendgrid({ unverified: true })

/** `test` with a store that is new for every test, and inboxes on it. */
export function testWithInbox<Tx>(makeStore: MakeStore<Tx>): TestAPI<{ readonly subject: PrivateSubject<Tx> }> {
  return test.extend<{ readonly subject: PrivateSubject<Tx> }>({
    subject: async ({}, use) => {
      const made = await makeStore()
      const stops: (() => Promise<void>)[] = []
      const rows = () => everyRow(made)
      await use({
        ...made,
        inbox({ shop: shopOptions, batches: batchOptions, ...options } = {}) {
          const told: InboxEvent[] = []
          const inbox = createInbox({
            store: made.store,
            sources: { shop: shop(shopOptions), batches: sendgrid({ unverified: true, ...batchOptions }) },
            logger: { info: () => {}, warn: () => {}, error: () => {} },
            retry: { firstSeconds: 0, maxAttempts: 2 },
            mode: 'queued',
            ...options,
          })
          inbox.subscribe((event) => void told.push(event))
          stops.push(() => inbox.stop({ graceSeconds: 0 }))
          return { ...inbox, told }
        },
        rows,
        async leaks(texts = planted) {
          const all = await rows()
          return texts.filter((text) => all.includes(text) || all.includes(Buffer.from(text).toString('hex')))
        },
      })
      for (const stop of stops) await stop()
      await made.dispose()
    },
  })
}

export async function everyRow({ query, schema }: Pick<StoreUnderTest<never>, 'query' | 'schema'>): Promise<string> {
  const tables = await query<{ readonly name: string }>(
    'select table_name as name from information_schema.tables where table_schema = $1',
    [schema],
  )
  const texts = await Promise.all(
    tables.map(({ name }) => query<{ readonly row: string }>(`select t::text as row from "${schema}"."${name}" as t`)),
  )
  return texts.flatMap((rows) => rows.map(({ row }) => row)).join('\n')
}

/** The bytes that are stored of a receipt, as text. */
export async function storedText<Tx>(inbox: PrivateInbox<Tx>, eventId: string): Promise<string> {
  const [receipt] = await inbox.receipts.find({ eventId })
  const body = await inbox.receipts.body(receipt?.id ?? '')
  return Buffer.from(body?.content ?? []).toString('utf8')
}
