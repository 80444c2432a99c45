import { list, object } from '../compound-schema.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { defineRoute, type Route } from '../route.ts'
import { anyText, flag, optional, whole } from '../schema.ts'

const state = object({
  isHandlerBroken: flag(),
  source: anyText(),
  type: anyText(),
  last: optional(
    object({
      eventId: anyText(),
      deliveries: whole(),
      effects: whole({ description: 'Rows that the handler has left for it.' }),
    }),
  ),
})

export const guideRoutes: readonly Route[] = [
  defineRoute({
    name: 'readGuide',
    method: 'GET',
    path: '/guide',
    role: 'viewer',
    summary: 'The guided first event: how far it is. Only where `oncehook start` runs without a configuration.',
    answer: state,
    run: async ({ services }) => (await services.guide?.state()) ?? noGuide,
  }),

  defineRoute({
    name: 'sendSample',
    method: 'POST',
    path: '/guide/send',
    role: 'operator',
    summary: 'Sends a signed sample to this gateway, over HTTP as its provider would.',
    body: object({
      copies: whole({ least: 1, most: 20 }),
      isParallel: flag({ description: 'All at the same moment.' }),
      isForged: flag({ description: 'Signed with a wrong secret.' }),
      isRepeat: optional(flag({ description: 'The event of the last time again, in place of a new one.' })),
    }),
    answer: object({
      eventId: anyText(),
      statuses: list(whole({ description: 'Of each answer; 0 if there was none.' })),
    }),
    changes: {
      action: 'guide.send',
      target: ({ body }) => `${body.copies} copies`,
      detail: (answer) => answer,
    },
    run: async ({ body, services }) =>
      (await services.guide?.send({ ...body, isRepeat: body.isRepeat ?? false })) ?? noGuide,
  }),

  defineRoute({
    name: 'setGuideHandler',
    method: 'POST',
    path: '/guide/handler',
    role: 'operator',
    summary: 'Lets the handler of the demo fail, or work again.',
    body: object({ isBroken: flag() }),
    answer: state,
    changes: { action: 'guide.handler', target: ({ body }) => (body.isBroken ? 'broken' : 'mended') },
    run: async ({ body, services }) => {
      if (services.guide === undefined) return noGuide
      await services.guide.setHandler(body)
      return services.guide.state()
    },
  }),
]

const noGuide: Refusal = refuse('not_found', 'Nobody is guided here: start without a configuration to be.')
