import type { Diagnosis, Meters, SourceDescription } from '../../index.ts'
import { list, object, pair } from '../compound-schema.ts'
import { badRequest } from '../read-call.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { defineRoute, type Route } from '../route.ts'
import { anyText, choice, describes, named, optional, text } from '../schema.ts'
import type { Services } from '../services.ts'
import {
  type MeteredSource,
  type ShownSource,
  type SourceInFull,
  type SourceMeters,
  source,
  sourceInFull,
} from './source-schemas.ts'

const parameters = object({ name: text({ most: 200 }) })

const refusalsShown = 20

const diagnosis = named(
  'Diagnosis',
  object({
    verdict: choice(['authentic', 'handshake', 'forged', 'malformed', 'unavailable']),
    reason: optional(anyText({ description: 'Why it is not believed, as a word.' })),
    hint: optional(anyText({ description: 'The likely cause, for the developer.' })),
    events: optional(
      list(object({ id: anyText(), type: anyText() }), { description: 'What it would be recorded as.' }),
    ),
  }),
)

export const sourceRoutes: readonly Route[] = [
  defineRoute({
    name: 'listSources',
    method: 'GET',
    path: '/sources',
    role: 'viewer',
    summary: 'The sources, their handlers, what their providers promise, and their meters.',
    answer: object({ items: list(describes<MeteredSource>(source)) }),
    run: async ({ services }) => {
      const meters = await services.inbox.meters()
      const sources = services.inbox.admin.describeSources()
      return { items: sources.map((one) => ({ ...shown(one, services), meters: metersOf(meters, one.name) })) }
    },
  }),

  defineRoute({
    name: 'readSource',
    method: 'GET',
    path: '/sources/{name}',
    role: 'viewer',
    summary: 'One source, with its meters, its retry pattern of the last week, and what was refused lately.',
    parameters,
    answer: describes<SourceInFull>(sourceInFull),
    run: async ({ parameters, services }) => {
      const { name } = parameters
      const found = services.inbox.admin.describeSources().find((one) => one.name === name)
      if (found === undefined) return noSource(name)
      const [meters, patterns, recentRefusals] = await Promise.all([
        services.inbox.meters(),
        services.inbox.retryPatterns({ source: name }),
        services.inbox.admin.refusals(name, refusalsShown),
      ])
      return {
        ...shown(found, services),
        meters: metersOf(meters, name),
        retryPattern: patterns.find((one) => one.source === name) ?? null,
        recentRefusals,
      }
    },
  }),

  defineRoute({
    name: 'diagnoseDelivery',
    method: 'POST',
    path: '/sources/{name}/diagnose',
    role: 'operator',
    summary: 'Whether a request would be believed, and the likely cause if not. Nothing is recorded.',
    parameters,
    body: object({
      method: optional(text({ most: 20 })),
      url: optional(text({ most: 4000 })),
      headers: list(pair(text({ most: 200 }), text({ least: 0, most: 16_384 })), { most: 200 }),
      body: optional(text({ least: 0, most: 10_000_000 })),
      bodyBase64: optional(text({ least: 0, most: 10_000_000, pattern: /^[A-Za-z0-9+/]*={0,2}$/, expected: 'base64' })),
    }),
    mostBodyBytes: 11 * 1024 * 1024,
    answer: diagnosis,
    changes: 'nothing',
    run: async ({ parameters, body, services }) => {
      const { method, url, headers, body: asText, bodyBase64 } = body
      if (asText !== undefined && bodyBase64 !== undefined) {
        return badRequest([{ path: 'bodyBase64', message: 'is given, and body too: give one of them' }])
      }
      if (url !== undefined && !URL.canParse(url)) return badRequest([{ path: 'url', message: 'is not a URL' }])
      const found = await services.inbox.admin.diagnose(parameters.name, {
        ...(method !== undefined && { method }),
        ...(url !== undefined && { url }),
        headers: recordOf(headers),
        body: bodyBase64 === undefined ? (asText ?? '') : Buffer.from(bodyBase64, 'base64'),
      })
      return found === undefined ? noSource(parameters.name) : withoutIndex(found)
    },
  }),
]

function metersOf({ deadlines, secrets }: Meters, source: string): SourceMeters {
  return {
    deadline: deadlines.find((one) => one.source === source) ?? null,
    secrets: secrets.find((one) => one.source === source)?.secrets ?? null,
  }
}

/** With every repetition. */
function recordOf(headers: readonly (readonly [string, string])[]): Readonly<Record<string, readonly string[]>> {
  const record: Record<string, string[]> = Object.create(null) as Record<string, string[]>
  for (const [name, value] of headers) (record[name.toLowerCase()] ??= []).push(value)
  return record
}

function withoutIndex(found: Diagnosis): {
  readonly verdict: Diagnosis['verdict']
  readonly reason?: string | undefined
  readonly hint?: string | undefined
  readonly events?: readonly { readonly id: string; readonly type: string }[] | undefined
} {
  return found
}

function shown(one: SourceDescription, { ingestUrl }: Services): ShownSource {
  const { deadlineSeconds, retryHours, ...rest } = one
  return {
    ...rest,
    url: ingestUrl === undefined ? null : `${ingestUrl}/in/${one.name}`,
    deadlineSeconds: deadlineSeconds ?? null,
    retryHours: retryHours ?? null,
  }
}

function noSource(name: string): Refusal {
  return refuse('not_found', `There is no source ${name}.`)
}
