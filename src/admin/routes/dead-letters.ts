import { list, object } from '../compound-schema.ts'
import { defineRoute, type Route } from '../route.ts'
import { anyText, flag, optional, text, time, whole } from '../schema.ts'

const group = object({
  source: anyText(),
  type: anyText(),
  error: anyText({ description: 'Of the newest one; numbers in it may differ in others.' }),
  count: whole(),
  lastAt: time(),
  exampleId: anyText({ description: 'The newest receipt of the group.' }),
})

export const deadLetterRoutes: readonly Route[] = [
  defineRoute({
    name: 'listDeadLetterGroups',
    method: 'GET',
    path: '/dead-letters/groups',
    role: 'viewer',
    summary: 'Dead letters, those that failed alike together, the largest group first. Looks at the newest 5,000.',
    query: object({ source: optional(text({ most: 200 })) }),
    answer: object({
      items: list(group),
      isComplete: flag({ description: 'False if there are more than were looked at.' }),
    }),
    run: async ({ query, services }) => {
      const { groups, isComplete } = await services.inbox.admin.deadLetterGroups(query.source)
      return { items: groups, isComplete }
    },
  }),
]
