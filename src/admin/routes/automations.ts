import type { Automation, AutomationChange, AutomationRun, AutomationView, KnownAutomation } from '../../index.ts'
import { list, object, variants } from '../compound-schema.ts'
import { badRequest } from '../read-call.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { defineRoute, type Route } from '../route.ts'
import {
  anyText,
  anything,
  choice,
  describes,
  flag,
  named,
  nullable,
  number,
  optional,
  type Schema,
  text,
  time,
  whole,
} from '../schema.ts'
import type { Services } from '../services.ts'
import { isId, pageOf, pageQuery, readPage } from './paging.ts'

const name = text({ most: 63, description: 'Small letters, digits, "-" and "_".' })
const parameters = object({ name })

/** Its parts are described in the documentation; every mistake in them is named by its path. */
const definition = anything({ description: '{ on, steps, isEnabled, note }: see the page on automations.' })

const automation = named(
  'Automation',
  object({
    name: anyText(),
    origin: choice(['config', 'api'], { description: 'Those of the configuration are changed there.' }),
    isEnabled: flag(),
    revision: whole(),
    changedAt: nullable(time()),
    changedBy: nullable(anyText()),
    definition,
  }),
)

const outcome = choice(['completed', 'ended', 'failed'])

const step = named(
  'AutomationStep',
  object({
    number: whole(),
    kind: choice(['extract', 'condition', 'lookup', 'store', 'dedup', 'forward', 'respond', 'code']),
    name: optional(anyText()),
    outcome: choice(['done', 'ended', 'skipped', 'failed']),
    summary: anyText(),
    input: anything(),
    output: anything(),
    error: optional(anyText()),
    tookMilliseconds: number(),
  }),
)

const run: Schema<AutomationRun> = describes(
  named(
    'AutomationRun',
    object({
      id: anyText(),
      automation: anyText(),
      source: anyText(),
      eventId: anyText(),
      receiptId: anyText(),
      attempt: whole(),
      outcome,
      error: optional(anyText()),
      tookMilliseconds: number(),
      endedAt: time(),
      steps: list(step),
    }),
  ),
)

export const automationRoutes: readonly Route[] = [
  defineRoute({
    name: 'listAutomations',
    method: 'GET',
    path: '/automations',
    role: 'viewer',
    summary: 'All automations, those of the configuration first.',
    answer: object({ items: list(automation) }),
    run: ({ services }) => withAutomations(services, async ({ list: all }) => ({ items: (await all()).map(shown) })),
  }),

  defineRoute({
    name: 'createAutomation',
    method: 'POST',
    path: '/automations',
    role: 'admin',
    summary: 'Defines a new automation. It takes effect here at once, and within seconds elsewhere.',
    body: object({ name, definition }),
    answer: automation,
    status: 201,
    changes: { action: 'automations.create', target: ({ body }) => body.name },
    run: ({ body, services, identity }) =>
      withAutomations(services, async ({ get, put }) => {
        if ((await get(body.name)) !== undefined)
          return refuse('conflict', `There is an automation ${body.name} already.`)
        return changed(await put(body.name, body.definition, { by: identity.name }))
      }),
  }),

  defineRoute({
    name: 'readAutomation',
    method: 'GET',
    path: '/automations/{name}',
    role: 'viewer',
    summary: 'One automation.',
    parameters,
    answer: automation,
    run: ({ parameters: given, services }) =>
      withAutomations(services, async ({ get }) => {
        const known = await get(given.name)
        return known === undefined ? unknown(given) : shown(known)
      }),
  }),

  defineRoute({
    name: 'putAutomation',
    method: 'PUT',
    path: '/automations/{name}',
    role: 'admin',
    summary: 'Changes an automation, or defines it.',
    parameters,
    body: object({ definition, ifRevision: optional(whole({ description: 'Only if nobody has changed it since.' })) }),
    answer: automation,
    changes: { action: 'automations.put', target: (call) => call.parameters.name },
    run: ({ parameters: given, body, services, identity }) =>
      withAutomations(services, async ({ put }) =>
        changed(await put(given.name, body.definition, { by: identity.name, ifRevision: body.ifRevision })),
      ),
  }),

  defineRoute({
    name: 'deleteAutomation',
    method: 'DELETE',
    path: '/automations/{name}',
    role: 'admin',
    summary: 'Deletes an automation. Events that wait for it are let go.',
    parameters,
    answer: object({ outcome: choice(['deleted']) }),
    changes: { action: 'automations.delete', target: (call) => call.parameters.name },
    run: ({ parameters: given, services, identity }) =>
      withAutomations(services, async (automations) => {
        const done = await automations.delete(given.name, { by: identity.name })
        if (done === 'configured') return configured()
        return done === 'deleted' ? { outcome: done } : unknown(given)
      }),
  }),

  defineRoute({
    name: 'testAutomation',
    method: 'POST',
    path: '/automations/{name}/test',
    role: 'admin',
    summary:
      'Runs the steps on a stored event in a transaction that is rolled back: nothing is stored, sent or answered.',
    parameters,
    body: object({
      from: variants('kind', { receipt: object({ id: text({ most: 20 }) }) }),
      definition: optional(definition),
    }),
    answer: object({ outcome, error: optional(anyText()), steps: list(step) }),
    changes: 'nothing',
    run: ({ parameters: given, body, services }) =>
      withAutomations(services, async ({ get, test, check }) => {
        const draft = body.definition ?? (await get(given.name))?.automation
        if (draft === undefined) return unknown(given)
        const mistakes = await check(given.name, draft)
        if (mistakes.length > 0) return invalid(mistakes)
        if (!isId(body.from.id)) return badRequest([{ path: 'from.id', message: 'is not the id of a receipt' }])
        const tested = await test(given.name, draft as Automation, { receiptId: body.from.id })
        return tested ?? refuse('not_found', 'There is nothing of that id to run it on.')
      }),
  }),

  defineRoute({
    name: 'listAutomationRuns',
    method: 'GET',
    path: '/automations/{name}/runs',
    role: 'viewer',
    summary: 'The runs of an automation with their traces, newest first.',
    parameters,
    query: object({ outcome: optional(outcome), ...pageQuery }),
    answer: pageOf(run),
    run: ({ parameters: given, query, services }) =>
      withAutomations(services, async ({ runs }) => {
        const { cursor, limit, outcome: wanted } = query
        if (cursor !== undefined && !isId(cursor))
          return badRequest([{ path: '?cursor', message: 'is not one of ours' }])
        return readPage(
          { cursor, limit },
          (page) => runs({ automation: given.name, outcome: wanted, beforeId: page.cursor, limit: page.limit }),
          ({ id }) => id,
        )
      }),
  }),

  defineRoute({
    name: 'readAutomationRun',
    method: 'GET',
    path: '/automation-runs/{id}',
    role: 'viewer',
    summary: 'One run, step by step.',
    parameters: object({ id: text({ most: 20 }) }),
    answer: run,
    run: ({ parameters: { id }, services }) =>
      withAutomations(services, async (automations) => {
        const found = isId(id) ? await automations.run(id) : undefined
        return found ?? refuse('not_found', `There is no run ${id}.`)
      }),
  }),
]

type Shown = Omit<KnownAutomation, 'automation' | 'changedAt' | 'changedBy'> & {
  readonly isEnabled: boolean
  readonly changedAt: Date | null
  readonly changedBy: string | null
  readonly definition: unknown
}

function shown({ automation: { isEnabled = true, ...rest }, changedAt, changedBy, ...known }: KnownAutomation): Shown {
  const whole = { ...rest, isEnabled }
  return { ...known, isEnabled, changedAt: changedAt ?? null, changedBy: changedBy ?? null, definition: whole }
}

async function withAutomations<Answer>(
  { inbox }: Services,
  work: (automations: AutomationView) => Promise<Answer | Refusal>,
): Promise<Answer | Refusal> {
  return inbox.automations === undefined
    ? refuse('not_found', 'There are no automations here: the inbox has no option automations.')
    : work(inbox.automations)
}

function changed(change: AutomationChange): Shown | Refusal {
  switch (change.kind) {
    case 'saved':
      return shown(change.automation)
    case 'invalid':
      return invalid(change.mistakes)
    case 'configured':
      return configured()
    case 'changed':
      return refuse('conflict', 'Somebody else has changed it since: read it again.')
  }
}

function invalid(mistakes: readonly string[]): Refusal {
  return badRequest(
    mistakes.map((mistake) => {
      const [path = '', ...words] = mistake.split(' ')
      return { path: `definition.${path}`, message: words.join(' ').replace(/\.$/, '') }
    }),
  )
}

function configured(): Refusal {
  return refuse('conflict', 'It stands in the configuration, and is changed there.')
}

function unknown({ name: asked }: { readonly name: string }): Refusal {
  return refuse('not_found', `There is no automation ${asked}.`)
}
