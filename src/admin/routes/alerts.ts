import type { Alert, AlertRules } from '../../index.ts'
import { list, mapOf, object } from '../compound-schema.ts'
import { refuse } from '../refusal.ts'
import { defineRoute, type Route } from '../route.ts'
import { anyText, anything, choice, describes, named, optional, type Schema, text, time, whole } from '../schema.ts'
import { id } from './receipt-schemas.ts'

const parameters = object({ id })
const why = text({ most: 500 })

const alert: Schema<Alert> = describes(
  named(
    'Alert',
    object({
      id: anyText(),
      environment: anyText(),
      rule: anyText(),
      source: optional(anyText({ description: 'Left out where the rule looks at all sources together.' })),
      title: anyText(),
      text: anyText({ description: 'What was seen, with the latest figures.' }),
      advice: anyText(),
      openedAt: time(),
      lastSeenAt: time(),
      resolvedAt: optional(time()),
      toldAt: optional(time({ description: 'When the first message of it was written.' })),
      reminders: whole(),
      remindedAt: optional(time()),
      openingFigures: mapOf(anything()),
      latestFigures: mapOf(anything()),
      acknowledged: optional(object({ by: anyText(), why: anyText(), at: time() })),
    }),
  ),
)

const mute = named(
  'AlertMute',
  object({
    id: anyText(),
    rule: optional(anyText({ description: 'Left out: every rule.' })),
    source: optional(anyText({ description: 'Left out: every source.' })),
    until: time(),
    by: anyText(),
    why: anyText(),
  }),
)

export const alertRoutes: readonly Route[] = [
  defineRoute({
    name: 'listAlerts',
    method: 'GET',
    path: '/alerts',
    role: 'viewer',
    summary: 'What went wrong, when, and whether it is over, newest first.',
    query: object({
      state: optional(choice(['open', 'resolved', 'all'], { description: 'Default all.' })),
      limit: optional(whole({ least: 1, most: 200 })),
    }),
    answer: object({ items: list(alert) }),
    run: async ({ query, services }) => {
      const { state = 'all', limit = 50 } = query
      const items = await services.inbox.alerts.find({ ...(state !== 'all' && { isOpen: state === 'open' }), limit })
      return { items }
    },
  }),

  defineRoute({
    name: 'acknowledgeAlert',
    method: 'POST',
    path: '/alerts/{id}/acknowledge',
    role: 'operator',
    summary: 'Somebody has taken it up: no more reminders.',
    parameters,
    body: object({ why }),
    changes: { action: 'alerts.acknowledge', target: ({ parameters }) => parameters.id },
    run: async ({ parameters, body, identity, services }) => {
      const isOpen = await services.inbox.alerts.acknowledge(parameters.id, { by: identity.name, why: body.why })
      return isOpen ? undefined : refuse('not_found', `There is no open alert ${parameters.id}.`)
    },
  }),

  defineRoute({
    name: 'listAlertMutes',
    method: 'GET',
    path: '/alert-mutes',
    role: 'viewer',
    summary: 'What is muted at this moment.',
    answer: object({ items: list(mute) }),
    run: async ({ services }) => ({ items: await services.inbox.alerts.mutes() }),
  }),

  defineRoute({
    name: 'muteAlerts',
    method: 'POST',
    path: '/alert-mutes',
    role: 'operator',
    summary: 'No messages until then, of a rule, a source or everything. What is still so afterwards is told then.',
    body: object({ rule: optional(text({ most: 50 })), source: optional(text({ most: 200 })), until: time(), why }),
    answer: object({ items: list(mute) }),
    status: 201,
    changes: {
      action: 'alerts.mute',
      target: ({ body }) => `${body.rule ?? 'every rule'} of ${body.source ?? 'every source'}`,
      detail: (_, { body }) => ({ until: body.until }),
    },
    run: async ({ body, identity, services }) => {
      const { rule, source, until, why: reason } = body
      await services.inbox.alerts.mute({
        // The inbox knows its rules, and says which there are.
        ...(rule !== undefined && { rule: rule as keyof AlertRules }),
        ...(source !== undefined && { source }),
        until,
        by: identity.name,
        why: reason,
      })
      return { items: await services.inbox.alerts.mutes() }
    },
  }),

  defineRoute({
    name: 'unmuteAlerts',
    method: 'DELETE',
    path: '/alert-mutes/{id}',
    role: 'operator',
    summary: 'Ends a mute.',
    parameters,
    changes: { action: 'alerts.unmute', target: ({ parameters }) => parameters.id },
    run: async ({ parameters, identity, services }) => {
      const isEnded = await services.inbox.alerts.unmute(parameters.id, { by: identity.name, why: 'unmuted' })
      return isEnded ? undefined : refuse('not_found', `There is no mute ${parameters.id} in force.`)
    },
  }),
]
