import type { Captures, Comparison } from '../../capture/create-captures.ts'
import { maskedHeaders } from '../../capture/masked-headers.ts'
import { isSecretHeader } from '../../delivery/stored-headers.ts'
import { list, object, pair } from '../compound-schema.ts'
import { badRequest } from '../read-call.ts'
import { refuse } from '../refusal.ts'
import { defineRoute, type Route } from '../route.ts'
import { anyText, choice, flag, named, nullable, number, optional, text, time, whole } from '../schema.ts'
import { headerPairs, withCaptures } from './capture-schemas.ts'
import { isId, pageOf, pageQuery, readPage } from './paging.ts'

const key = object({
  kind: choice(['capture', 'receipt']),
  id: text({ most: 18, pattern: /^\d+$/, expected: 'an id' }),
})

const result = named(
  'ReplayResult',
  object({
    attempt: whole(),
    status: nullable(whole({ description: 'Null if no answer came.' })),
    headers: headerPairs,
    text: anyText({ description: 'The beginning of the body.' }),
    isTruncated: flag(),
    tookMilliseconds: number(),
    error: nullable(anyText()),
  }),
)

const replay = named(
  'Replay',
  object({
    id: anyText(),
    at: time(),
    endedAt: nullable(time()),
    from: key,
    target: anyText(),
    times: whole(),
    isParallel: flag(),
    isEdited: flag(),
    signedFor: nullable(anyText()),
    by: anyText(),
    why: anyText(),
    results: list(result),
  }),
)

const edit = object({
  method: optional(text({ most: 20 })),
  headers: optional(
    list(pair(text({ most: 500 }), text({ least: 0, most: 16_384 })), {
      most: 500,
      description: 'The whole list. What was shown masked, and is given back so, is sent as it was.',
    }),
  ),
  body: optional(text({ least: 0, most: 4_194_304 })),
  bodyBase64: optional(text({ least: 0, most: 8_388_608 })),
})

/** Sending again, and comparing. */
export const replayRoutes: readonly Route[] = [
  defineRoute({
    name: 'sendReplay',
    method: 'POST',
    path: '/replays',
    role: 'operator',
    summary: 'Sends a capture or a receipt again, to any allowed address, and answers with what came back.',
    body: object({
      from: key,
      target: text({ most: 2000, description: 'An address, or /in/<source> or /capture/<name> of this gateway.' }),
      times: optional(whole({ least: 1, most: 100 })),
      isParallel: optional(flag()),
      edit: optional(nullable(edit)),
      sign: optional(
        nullable(
          object(
            { provider: optional(text({ most: 100 })), source: optional(text({ most: 200 })) },
            { description: 'Whose signature it gets; the secret is that of the source. Null: none.' },
          ),
        ),
      ),
      why: text({ most: 500, description: 'The reason, which is kept.' }),
    }),
    answer: replay,
    mostBodyBytes: 12 * 1024 * 1024,
    changes: {
      action: 'replays.send',
      target: ({ body }) => `${body.from.kind} ${body.from.id} to ${targetWithoutQuery(body.target)}`,
      detail: ({ id, results }) => ({ replay: id, statuses: results.map(({ status }) => status) }),
    },
    run: ({ body, identity, services }) =>
      withCaptures(services, async (captures) => {
        const { edit: given, sign, ...rest } = body
        const { bodyBase64, ...edited } = given ?? {}
        const content = bodyBase64 === undefined ? edited.body : Buffer.from(bodyBase64, 'base64')
        const sent = await captures.replay({
          ...rest,
          edit: given == null ? undefined : { ...edited, body: content },
          sign: sign === null ? 'no' : sign,
          by: identity.name,
        })
        if (sent.kind === 'not_found') return refuse('not_found', sent.message)
        if (sent.kind === 'refused') return refuse('bad_request', sent.message)
        const stored = await captures.replays.read(sent.replay.id)
        return stored === undefined ? refuse('not_found', 'The replay is gone.') : shown(stored)
      }),
  }),

  defineRoute({
    name: 'listReplays',
    method: 'GET',
    path: '/replays',
    role: 'viewer',
    summary: 'What was sent again, newest first.',
    query: object(pageQuery),
    answer: pageOf(replay),
    run: ({ query, services }) =>
      withCaptures(services, async ({ replays }) => {
        if (query.cursor !== undefined && !isId(query.cursor))
          return badRequest([{ path: '?cursor', message: 'is not one of ours' }])
        const page = await readPage(
          query,
          ({ cursor, limit }) => replays.find({ beforeId: cursor, limit }),
          ({ id }) => id,
        )
        return { ...page, items: page.items.map(shown) }
      }),
  }),

  defineRoute({
    name: 'readReplay',
    method: 'GET',
    path: '/replays/{id}',
    role: 'viewer',
    summary: 'One replay, with the answers.',
    parameters: object({ id: text({ most: 18, pattern: /^\d+$/, expected: 'the id of a replay' }) }),
    answer: replay,
    run: ({ parameters: { id }, services }) =>
      withCaptures(services, async ({ replays }) => {
        const found = await replays.read(id)
        return found === undefined ? refuse('not_found', `There is no replay ${id}.`) : shown(found)
      }),
  }),

  defineRoute({
    name: 'compareDeliveries',
    method: 'POST',
    path: '/compare',
    role: 'viewer',
    summary: 'Compares two to five captures or receipts: which event, what differs, and when they came.',
    body: object({ items: list(key, { least: 2, most: 5 }) }),
    answer: comparisonSchema(),
    changes: 'nothing',
    run: ({ body, services }) =>
      withCaptures(services, async ({ compare }) => {
        const compared = await compare(body.items)
        if (compared.kind === 'compared') return shownComparison(compared.comparison)
        const names = compared.keys.map(({ kind, id }) => `${kind} ${id}`).join(', ')
        return refuse('not_found', `There is no ${names} here, or its body is gone.`)
      }),
  }),
]

function comparisonSchema() {
  const values = list(nullable(anyText()), { description: 'In the order of the items; null where it is missing.' })
  return named(
    'Comparison',
    object({
      items: list(
        object({
          kind: choice(['capture', 'receipt']),
          id: anyText(),
          name: anyText({ description: 'Of the endpoint or the source.' }),
          at: time(),
          method: anyText(),
          path: anyText(),
          bytes: whole(),
          identity: nullable(object({ provider: anyText(), eventId: anyText(), type: anyText() })),
        }),
      ),
      identity: object({
        verdict: choice(['same_event', 'mutated', 'replayed_body', 'different_events', 'unknown']),
        explanation: anyText(),
      }),
      areBytesEqual: flag(),
      headers: list(
        object({ name: anyText(), role: choice(['signature', 'time', 'delivery', 'transport', 'other']), values }),
        { description: 'Only those that differ.' },
      ),
      body: list(object({ path: anyText(), values }), { description: 'Only what differs, as JSON.' }),
      isTruncated: flag(),
      timing: list(object({ place: whole(), sinceFirstMilliseconds: number(), sincePreviousMilliseconds: number() }), {
        description: 'In the order of time.',
      }),
    }),
  )
}

function shownComparison(comparison: Comparison) {
  const orNull = (values: readonly (string | undefined)[]): readonly (string | null)[] =>
    values.map((value) => value ?? null)
  return {
    ...comparison,
    items: comparison.items.map((item) => ({ ...item, identity: item.identity ?? null })),
    headers: comparison.headers.map(({ name, role, values }) => ({
      name,
      role,
      values: orNull(
        isSecretHeader(name) ? values.map((value) => value && maskedHeaders([[name, value]])[0]?.[1]) : values,
      ),
    })),
    body: comparison.body.map(({ path, values }) => ({ path, values: orNull(values) })),
  }
}

type SentReplay = NonNullable<Awaited<ReturnType<Captures['replays']['read']>>>

function shown(sent: SentReplay) {
  return {
    ...sent,
    endedAt: sent.endedAt ?? null,
    signedFor: sent.signedFor ?? null,
    results: sent.results.map(({ status, error, headers, ...rest }) => ({
      ...rest,
      headers: maskedHeaders(headers),
      status: status ?? null,
      error: error ?? null,
    })),
  }
}

/** A query may hold a key. */
function targetWithoutQuery(target: string): string {
  return target.split('?', 1)[0] ?? ''
}
