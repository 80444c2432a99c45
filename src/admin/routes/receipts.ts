import type { ReplayPreview } from '../../index.ts'
import { list, object } from '../compound-schema.ts'
import { badRequest } from '../read-call.ts'
import { isRefusal, type Refusal, refuse } from '../refusal.ts'
import { defineRoute, type Route } from '../route.ts'
import { anyText, choice, describes, named, optional, type Schema, text } from '../schema.ts'
import { isId, pageOf, pageQuery } from './paging.ts'
import { receiptBody, shownBody } from './receipt-body.ts'
import { chosen, chosenAndWhy, chosenBy, filterOf, idsOf, mostAtOnce, narrowing, targetOf } from './receipt-choice.ts'
import { id, receipt } from './receipt-schemas.ts'
import { timelineEntry } from './timeline-schema.ts'

const parameters = object({ id })

const ids = object({ ids: list(anyText(), { most: mostAtOnce }) })

const effectNote = named(
  'EffectNote',
  object({
    kind: choice(['effect', 'version', 'change', 'message', 'value']),
    key: anyText(),
    outcome: choice(['applied', 'skipped', 'stale', 'same_change', 'added', 'known', 'stored', 'kept', 'deleted']),
    namespace: optional(anyText({ description: 'Of a value of the datastore.' })),
    version: optional(anyText()),
    target: optional(anyText()),
  }),
)

const preview: Schema<ReplayPreview> = describes(
  named(
    'ReplayPreview',
    object({
      receiptId: anyText(),
      source: anyText(),
      eventId: anyText(),
      type: anyText(),
      redacted: list(anyText(), { description: 'What handlers do not see, because it was never stored.' }),
      handlers: list(
        object({
          handler: anyText(),
          would: choice(['succeed', 'fail', 'defer', 'end_stale', 'same_change']),
          reason: optional(anyText()),
          effects: list(effectNote, { most: 10_000 }),
        }),
      ),
    }),
  ),
)

export const receiptRoutes: readonly Route[] = [
  defineRoute({
    name: 'listReceipts',
    method: 'GET',
    path: '/receipts',
    role: 'viewer',
    summary:
      'The ledger, newest first. A page looks at a bounded number of receipts, so it may hold fewer than asked for, or none, and still have a next one.',
    query: object({
      ...narrowing,
      q: optional(
        text({
          most: 512,
          description:
            'A receipt id, event id, object id, delivery id or type; with * at the end the beginning of a type.',
        }),
      ),
      ...pageQuery,
    }),
    answer: pageOf(receipt),
    run: async ({ query, services }) => {
      const { q, cursor, limit = 50, ...filter } = query
      if (cursor !== undefined && !isId(cursor)) return badRequest([{ path: '?cursor', message: 'is not one of ours' }])
      const { receipts, next } = await services.inbox.admin.page({
        ...filterOf(filter),
        ...(cursor !== undefined && { beforeId: cursor }),
        search: q,
        limit,
      })
      return { items: receipts, next: next ?? null }
    },
  }),

  defineRoute({
    name: 'readReceipt',
    method: 'GET',
    path: '/receipts/{id}',
    role: 'viewer',
    summary: 'One receipt.',
    parameters,
    answer: receipt,
    run: async ({ parameters, services }) =>
      (await services.inbox.receipts.get(parameters.id)) ?? noReceipt(parameters),
  }),

  defineRoute({
    name: 'readTimeline',
    method: 'GET',
    path: '/receipts/{id}/timeline',
    role: 'viewer',
    summary: 'All that happened to a receipt, oldest first: deliveries, attempts, effects, messages, replays.',
    parameters,
    answer: object({ items: list(timelineEntry, { most: 100_000 }) }),
    run: async ({ parameters, services }) => {
      const items = await services.inbox.receipts.timeline(parameters.id)
      return items.length === 0 ? noReceipt(parameters) : { items }
    },
  }),

  defineRoute({
    name: 'readBody',
    method: 'GET',
    path: '/receipts/{id}/body',
    role: 'viewer',
    summary: 'What was stored of the request: headers and bytes. Signatures and secrets are not in it.',
    parameters,
    answer: receiptBody,
    run: async ({ parameters, services }) => {
      const stored = await services.inbox.receipts.body(parameters.id)
      if (stored === undefined) {
        return refuse('not_found', `There is no body of receipt ${parameters.id}: it was removed, or never came.`)
      }
      return shownBody(stored, services.inbox.admin.hideSecrets)
    },
  }),

  defineRoute({
    name: 'previewReplay',
    method: 'POST',
    path: '/receipts/preview',
    role: 'operator',
    summary: 'What a replay would do: the handlers run in transactions that are rolled back.',
    body: chosen,
    answer: object({ items: list(preview) }),
    changes: 'nothing',
    run: async ({ body, services }) => {
      const filter = chosenBy(body)
      return isRefusal(filter) ? filter : { items: await services.inbox.replay(filter, { preview: true }) }
    },
  }),

  defineRoute({
    name: 'replayReceipts',
    method: 'POST',
    path: '/receipts/replay',
    role: 'operator',
    summary: 'Puts receipts back into the queue: failed and ignored ones, others only if named by id or status.',
    body: chosenAndWhy,
    answer: ids,
    changes: { action: 'receipts.replay', target: ({ body }) => targetOf(body), detail: (answer) => answer },
    run: ({ body, services, identity }) =>
      idsOf(body, (filter) => services.inbox.replay(filter, { by: identity.name, why: body.why })),
  }),

  defineRoute({
    name: 'holdReceipts',
    method: 'POST',
    path: '/receipts/hold',
    role: 'operator',
    summary: 'Keeps receipts, with their bodies and logs, however old they get.',
    body: chosenAndWhy,
    answer: ids,
    changes: { action: 'receipts.hold', target: ({ body }) => targetOf(body), detail: (answer) => answer },
    run: ({ body, services, identity }) =>
      idsOf(body, (filter) => services.inbox.receipts.hold(filter, { by: identity.name, why: body.why })),
  }),

  defineRoute({
    name: 'releaseReceipts',
    method: 'POST',
    path: '/receipts/release',
    role: 'operator',
    summary: 'Lets receipts that were held go when their time is over.',
    body: chosenAndWhy,
    answer: ids,
    changes: { action: 'receipts.release', target: ({ body }) => targetOf(body), detail: (answer) => answer },
    run: ({ body, services, identity }) =>
      idsOf(body, (filter) => services.inbox.receipts.release(filter, { by: identity.name, why: body.why })),
  }),
]

function noReceipt({ id }: { readonly id: string }): Refusal {
  return refuse('not_found', `There is no receipt ${id}.`)
}
