import { object } from '../compound-schema.ts'
import { defineEventStream, type Route } from '../route.ts'
import { optional, text } from '../schema.ts'

export const liveRoutes: readonly Route[] = [
  defineEventStream({
    name: 'followLive',
    path: '/live',
    role: 'viewer',
    summary:
      'What happens, as server-sent events named delivery, handler, effect, message, upkeep, notice and so on; ' +
      'after a broken connection those since Last-Event-ID, or an event gap if too many were missed.',
    query: object({
      source: optional(text({ most: 200 })),
      lastEventId: optional(text({ most: 20, description: 'For clients that cannot set the header Last-Event-ID.' })),
    }),
    events: async ({ query, request, services }) =>
      services.live.open({
        source: query.source,
        lastEventId: request.headers.get('last-event-id') ?? query.lastEventId,
      }),
  }),
]
