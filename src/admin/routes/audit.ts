import { object } from '../compound-schema.ts'
import { badRequest } from '../read-call.ts'
import { defineRoute, type Route } from '../route.ts'
import { anyText, anything, choice, named, optional, text, time } from '../schema.ts'
import { isId, pageOf, pageQuery, readPage } from './paging.ts'

const entry = named(
  'AuditEntry',
  object({
    id: anyText(),
    at: time(),
    by: anyText(),
    role: anyText(),
    action: anyText({ description: 'The resource and what was done with it: `receipts.replay`.' }),
    target: anyText(),
    why: optional(anyText()),
    outcome: choice(['begun', 'done', 'refused', 'failed'], {
      description: '`begun`: it is being made at this moment, or the process ended over it.',
    }),
    detail: optional(anything({ description: 'What became of it.' })),
  }),
)

export const auditRoutes: readonly Route[] = [
  defineRoute({
    name: 'listAudit',
    method: 'GET',
    path: '/audit',
    role: 'admin',
    summary: 'Who changed what, when and why, newest first.',
    query: object({ by: optional(text({ most: 200 })), action: optional(text({ most: 200 })), ...pageQuery }),
    answer: pageOf(entry),
    run: async ({ query, services }) => {
      const { cursor, limit, by, action } = query
      if (cursor !== undefined && !isId(cursor)) return badRequest([{ path: '?cursor', message: 'is not one of ours' }])
      const page = await readPage(
        { cursor, limit },
        ({ cursor: beforeId, limit: most }) => services.inbox.admin.log.find({ beforeId, limit: most, by, action }),
        ({ id }) => id,
      )
      return {
        ...page,
        items: page.items.map(({ detail, ...line }) => ({
          ...line,
          ...(detail !== undefined && { detail: JSON.parse(detail) as unknown }),
        })),
      }
    },
  }),
]
