import { list, object } from '../compound-schema.ts'
import { badRequest } from '../read-call.ts'
import { defineRoute, type Route } from '../route.ts'
import { anyText, choice, optional, text } from '../schema.ts'
import { isId, pageOf, pageQuery, readPage } from './paging.ts'
import { id } from './receipt-schemas.ts'
import { message } from './timeline-schema.ts'

const mostAtOnce = 1000

export const messageRoutes: readonly Route[] = [
  defineRoute({
    name: 'listMessages',
    method: 'GET',
    path: '/messages',
    role: 'viewer',
    summary: 'Messages of the outbox, newest first.',
    query: object({
      status: optional(choice(['pending', 'published', 'failed'])),
      target: optional(text({ most: 200 })),
      receiptId: optional(id),
      ...pageQuery,
    }),
    answer: pageOf(message),
    run: async ({ query, services }) => {
      const { cursor, limit, status, target, receiptId } = query
      if (cursor !== undefined && !isId(cursor)) return badRequest([{ path: '?cursor', message: 'is not one of ours' }])
      return readPage(
        { cursor, limit },
        (page) =>
          services.inbox.messages.find({
            ...(status !== undefined && { status }),
            ...(target !== undefined && { target }),
            ...(receiptId !== undefined && { receiptId }),
            ...(page.cursor !== undefined && { beforeId: page.cursor }),
            limit: page.limit,
          }),
        (one) => one.id,
      )
    },
  }),

  defineRoute({
    name: 'replayMessages',
    method: 'POST',
    path: '/messages/replay',
    role: 'operator',
    summary: 'Sends dead letters of the outbox again, with the same key.',
    body: object({
      ids: list(id, { least: 1, most: mostAtOnce }),
      why: optional(text({ most: 500, description: 'The reason; it is kept in the audit log.' })),
    }),
    answer: object({ ids: list(anyText(), { most: mostAtOnce }) }),
    changes: {
      action: 'messages.replay',
      target: ({ body }) => body.ids.slice(0, 20).join(', '),
      detail: (answer) => answer,
    },
    run: async ({ body, services }) => ({ ids: await services.inbox.messages.replay({ ids: body.ids }) }),
  }),
]
