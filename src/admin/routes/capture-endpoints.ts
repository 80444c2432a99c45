import { list, object } from '../compound-schema.ts'
import { badRequest } from '../read-call.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { defineRoute, type Route } from '../route.ts'
import { choice, optional, text } from '../schema.ts'
import { endpoint, endpointName, rule, shownEndpoint, withCaptures } from './capture-schemas.ts'

const parameters = object({ name: endpointName })
const rules = object({ rules: list(rule, { most: 50 }) })

/** Where requests are captured, and how they are answered. */
export const captureEndpointRoutes: readonly Route[] = [
  defineRoute({
    name: 'listCaptureEndpoints',
    method: 'GET',
    path: '/capture-endpoints',
    role: 'viewer',
    summary: 'All capture endpoints, by name.',
    answer: object({ items: list(endpoint) }),
    run: ({ services }) =>
      withCaptures(services, async ({ endpoints }) => ({
        items: (await endpoints.find()).map((known) => shownEndpoint(known, services)),
      })),
  }),

  defineRoute({
    name: 'createCaptureEndpoint',
    method: 'POST',
    path: '/capture-endpoints',
    role: 'operator',
    summary: 'Makes a capture endpoint.',
    body: object({ name: endpointName, note: optional(text({ least: 0, most: 500 })) }),
    answer: endpoint,
    status: 201,
    changes: { action: 'captures.createEndpoint', target: ({ body }) => body.name },
    run: ({ body, identity, services }) =>
      withCaptures(services, async ({ endpoints }) => {
        if ((await endpoints.find()).some(({ name }) => name === body.name))
          return refuse('conflict', `There is an endpoint ${body.name} already.`)
        const put = await endpoints.put({ ...body, by: identity.name })
        if (typeof put === 'object') return badRequest([{ path: 'name', message: put.message }])
        if (put === 'full')
          return refuse('conflict', 'There are as many endpoints as the gateway allows: delete one first.')
        const made = (await endpoints.find()).find(({ name }) => name === body.name)
        return made === undefined ? unknown(body.name) : shownEndpoint(made, services)
      }),
  }),

  defineRoute({
    name: 'readCaptureEndpoint',
    method: 'GET',
    path: '/capture-endpoints/{name}',
    role: 'viewer',
    summary: 'One capture endpoint.',
    parameters,
    answer: endpoint,
    run: ({ parameters: { name }, services }) =>
      withCaptures(services, async ({ endpoints }) => {
        const found = (await endpoints.find()).find((known) => known.name === name)
        return found === undefined ? unknown(name) : shownEndpoint(found, services)
      }),
  }),

  defineRoute({
    name: 'deleteCaptureEndpoint',
    method: 'DELETE',
    path: '/capture-endpoints/{name}',
    role: 'operator',
    summary: 'Deletes a capture endpoint with its captures and rules.',
    parameters,
    answer: object({ outcome: choice(['deleted']) }),
    changes: { action: 'captures.deleteEndpoint', target: (call) => call.parameters.name },
    run: ({ parameters: { name }, services }) =>
      withCaptures(services, async ({ endpoints }) =>
        (await endpoints.delete(name)) ? { outcome: 'deleted' as const } : unknown(name),
      ),
  }),

  defineRoute({
    name: 'readCaptureRules',
    method: 'GET',
    path: '/capture-endpoints/{name}/rules',
    role: 'viewer',
    summary: 'The rules of an endpoint in their order, with how many requests each was counted for and has answered.',
    parameters,
    answer: rules,
    run: ({ parameters: { name }, services }) =>
      withCaptures(services, async ({ endpoints }) => {
        const found = await endpoints.rules(name)
        return found === undefined ? unknown(name) : { rules: found }
      }),
  }),

  defineRoute({
    name: 'putCaptureRules',
    method: 'PUT',
    path: '/capture-endpoints/{name}/rules',
    role: 'operator',
    summary: 'Gives an endpoint these rules in place of those it had. Rules that stay the same go on counting.',
    parameters,
    body: object({
      rules: list(rule, { most: 50 }),
      counts: optional(choice(['keep', 'reset'], { description: '`reset`: all rules count anew.' })),
    }),
    answer: rules,
    changes: { action: 'captures.putRules', target: (call) => call.parameters.name },
    run: ({ parameters: { name }, body, services }) =>
      withCaptures(services, async ({ endpoints }) => {
        const put = await endpoints.putRules(name, body.rules.map(withoutCounts), body.counts)
        if (typeof put === 'object') return badRequest(put.mistakes)
        return put === 'done' ? { rules: (await endpoints.rules(name)) ?? [] } : unknown(name)
      }),
  }),
]

/** Whoever reads rules and sends them back need not take these out. */
function withoutCounts(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const { counted: _counted, answered: _answered, ...rest } = given as Readonly<Record<string, unknown>>
  return rest
}

function unknown(name: string): Refusal {
  return refuse('not_found', `There is no capture endpoint ${name}.`)
}
