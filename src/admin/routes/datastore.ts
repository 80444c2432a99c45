import { type DatastoreValue, isOncehookError } from '../../index.ts'
import { object } from '../compound-schema.ts'
import { badRequest } from '../read-call.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { defineRoute, type Route } from '../route.ts'
import { anyText, anything, choice, flag, named, nullable, number, optional, text, time, whole } from '../schema.ts'
import { pageOf, pageQuery } from './paging.ts'

const namespace = text({ most: 100, description: '1 to 100 letters, digits and . _ : -' })
const key = text({ most: 512, description: 'Up to 512 bytes.' })
const ttlSeconds = optional(number({ description: 'Gone after that. Without it the value stays.' }))
const version = whole({ description: 'Another one after every change.' })

const value = named(
  'DatastoreValue',
  object({
    namespace: anyText(),
    key: anyText(),
    value: anything({ description: 'Whatever JSON can say.' }),
    version,
    expiresAt: nullable(time()),
    updatedAt: time(),
  }),
)

const namespaceItem = named(
  'DatastoreNamespace',
  object({
    namespace: anyText(),
    keys: whole({ description: 'Counted up to a thousand.' }),
    hasMoreKeys: flag(),
  }),
)

const place = object({ namespace, key })

/** What may be changed: the value is up to 64 KB, and a body has more around it. */
const mostBodyBytes = 512 * 1024

export const datastoreRoutes: readonly Route[] = [
  defineRoute({
    name: 'listNamespaces',
    method: 'GET',
    path: '/datastore',
    role: 'viewer',
    summary: 'The namespaces of the datastore, in the order of their names.',
    query: object(pageQuery),
    answer: pageOf(namespaceItem),
    run: ({ query: { cursor, limit }, services }) =>
      answered(async () => {
        const { items, next } = await services.inbox.datastore.namespaces({ after: cursor, ...(limit && { limit }) })
        return { items, next: next ?? null }
      }),
  }),

  defineRoute({
    name: 'listValues',
    method: 'GET',
    path: '/datastore/{namespace}',
    role: 'viewer',
    summary: 'The values of a namespace, in the order of their keys. A page ends early when its values are large.',
    parameters: object({ namespace }),
    query: object({
      prefix: optional(text({ most: 512, description: 'Only keys that begin with it.' })),
      ...pageQuery,
    }),
    answer: pageOf(value),
    run: ({ parameters, query: { prefix, cursor, limit }, services }) =>
      answered(async () => {
        const after = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString('utf8')
        const asked = { after, ...(prefix !== undefined && { prefix }), ...(limit && { limit }) }
        const { items, next } = await services.inbox.datastore.list(parameters.namespace, asked)
        return { items: items.map(shown), next: next === undefined ? null : Buffer.from(next).toString('base64url') }
      }),
  }),

  defineRoute({
    name: 'readValue',
    method: 'GET',
    path: '/datastore/{namespace}/{key}',
    role: 'viewer',
    summary: 'One value.',
    parameters: place,
    answer: value,
    run: ({ parameters, services }) =>
      answered(async () => {
        const found = await services.inbox.datastore.get(parameters.namespace, parameters.key)
        return found === undefined ? noValue() : shown(found)
      }),
  }),

  defineRoute({
    name: 'putValue',
    method: 'PUT',
    path: '/datastore/{namespace}/{key}',
    role: 'operator',
    summary: 'Stores a value: in any case, only if there is none, or only in place of a version.',
    parameters: place,
    body: object({
      value: anything({ description: 'Whatever JSON can say, up to 64 KB.' }),
      ttlSeconds,
      ifAbsent: optional(flag()),
      ifVersion: optional(version),
    }),
    answer: value,
    mostBodyBytes,
    changes: { action: 'datastore.put', target: targetOf, detail: ({ version: stored }) => ({ version: stored }) },
    run: ({ parameters, body, services }) =>
      answered(async () => {
        const { datastore } = services.inbox
        const { ttlSeconds: seconds, ifAbsent = false, ifVersion } = body
        const options = { ttlSeconds: seconds }
        if (ifAbsent && ifVersion !== undefined) {
          return badRequest([{ path: 'ifVersion', message: 'and ifAbsent cannot both be' }])
        }
        if (ifAbsent) {
          const result = await datastore.setIfAbsent(parameters.namespace, parameters.key, body.value, options)
          return result.stored ? shown(result.current) : refuse('conflict', 'There is a value already.')
        }
        if (ifVersion !== undefined) {
          const change = { ...options, expected: { version: ifVersion }, value: body.value }
          const result = await datastore.compareAndSet(parameters.namespace, parameters.key, change)
          return result.stored
            ? shown(result.current)
            : refuse('conflict', `It is not of version ${ifVersion} any more.`)
        }
        return shown(await datastore.set(parameters.namespace, parameters.key, body.value, options))
      }),
  }),

  defineRoute({
    name: 'compareAndSetValue',
    method: 'POST',
    path: '/datastore/{namespace}/{key}/compare-and-set',
    role: 'operator',
    summary: 'Stores a value if the one that is there says what is expected.',
    parameters: place,
    body: object({ expected: anything(), value: anything(), ttlSeconds }),
    answer: value,
    mostBodyBytes,
    changes: { action: 'datastore.put', target: targetOf, detail: ({ version: stored }) => ({ version: stored }) },
    run: ({ parameters, body, services }) =>
      answered(async () => {
        const change = { expected: { value: body.expected }, value: body.value, ttlSeconds: body.ttlSeconds }
        const result = await services.inbox.datastore.compareAndSet(parameters.namespace, parameters.key, change)
        return result.stored ? shown(result.current) : refuse('conflict', 'Another value is there, or none.')
      }),
  }),

  defineRoute({
    name: 'incrementValue',
    method: 'POST',
    path: '/datastore/{namespace}/{key}/increment',
    role: 'operator',
    summary: 'Adds to a number; one that is not there counts as 0.',
    parameters: place,
    body: object({ by: optional(number()), ttlSeconds }),
    answer: value,
    changes: { action: 'datastore.put', target: targetOf, detail: ({ version: stored }) => ({ version: stored }) },
    run: ({ parameters, body: { by, ttlSeconds: seconds }, services }) =>
      answered(async () => {
        const options = { ttlSeconds: seconds, ...(by !== undefined && { by }) }
        return shown(await services.inbox.datastore.increment(parameters.namespace, parameters.key, options))
      }),
  }),

  defineRoute({
    name: 'deleteValue',
    method: 'DELETE',
    path: '/datastore/{namespace}/{key}',
    role: 'operator',
    summary: 'Deletes a value, or only one of this version.',
    parameters: place,
    query: object({ ifVersion: optional(version) }),
    answer: object({ outcome: choice(['deleted']) }),
    changes: { action: 'datastore.delete', target: targetOf },
    run: ({ parameters, query, services }) =>
      answered(async () => {
        const { namespace: space, key: name } = parameters
        const isDeleted = await services.inbox.datastore.delete(space, name, { ifVersion: query.ifVersion })
        return isDeleted ? { outcome: 'deleted' as const } : noValue()
      }),
  }),
]

function targetOf({
  parameters,
}: {
  readonly parameters: { readonly namespace: string; readonly key: string }
}): string {
  return `${parameters.namespace}/${parameters.key}`
}

function shown(found: DatastoreValue): Omit<DatastoreValue, 'expiresAt'> & { readonly expiresAt: Date | null } {
  return { ...found, expiresAt: found.expiresAt ?? null }
}

function noValue(): Refusal {
  return refuse('not_found', 'There is no such value.')
}

/** What the datastore does not take is the caller's mistake. */
async function answered<Answer>(work: () => Promise<Answer>): Promise<Answer | Refusal> {
  try {
    return await work()
  } catch (error) {
    if (isOncehookError(error, 'ONCEHOOK_INVALID_VALUE')) return refuse('bad_request', error.message)
    throw error
  }
}
