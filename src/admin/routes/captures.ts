import { type CaseExpectation, readCase } from '../../capture/cases/case-file.ts'
import { list, object, variants } from '../compound-schema.ts'
import { badRequest } from '../read-call.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { defineRoute, type Route } from '../route.ts'
import { anyText, anything, choice, flag, nullable, optional, text, whole } from '../schema.ts'
import {
  capture,
  captureId,
  captureInBrief,
  endpointName,
  shownCapture,
  shownInBrief,
  withCaptures,
} from './capture-schemas.ts'
import { isId, pageOf, pageQuery, readPage } from './paging.ts'

const parameters = object({ id: captureId })
const paths = list(text({ most: 500 }), { most: 100 })
const caseFile = anything({ description: 'A case: see the page on cases.' })

/** What was captured. */
export const captureRoutes: readonly Route[] = [
  defineRoute({
    name: 'listCaptures',
    method: 'GET',
    path: '/captures',
    role: 'viewer',
    summary: 'Captured requests, newest first, without headers and bodies.',
    query: object({
      endpoint: optional(endpointName),
      method: optional(text({ most: 20 })),
      status: optional(
        whole({ most: 599, description: 'A status, or a class as 5; 0 for requests without an answer.' }),
      ),
      q: optional(text({ most: 500, description: 'A part of the path, or the beginning of an event id or type.' })),
      ...pageQuery,
    }),
    answer: pageOf(captureInBrief),
    run: ({ query, services }) =>
      withCaptures(services, async ({ find }) => {
        const { cursor, limit, q, ...filter } = query
        if (cursor !== undefined && !isId(cursor))
          return badRequest([{ path: '?cursor', message: 'is not one of ours' }])
        const page = await readPage(
          { cursor, limit },
          (wanted) =>
            find({
              ...filter,
              method: filter.method?.toUpperCase(),
              text: q,
              beforeId: wanted.cursor,
              limit: wanted.limit,
            }),
          ({ id }) => id,
        )
        return { ...page, items: page.items.map(shownInBrief) }
      }),
  }),

  defineRoute({
    name: 'readCapture',
    method: 'GET',
    path: '/captures/{id}',
    role: 'viewer',
    summary: 'One captured request, with its answer.',
    parameters,
    answer: capture,
    run: ({ parameters: { id }, services }) =>
      withCaptures(services, async ({ read }) => {
        const found = await read(id)
        return found === undefined ? unknown(id) : shownCapture(found, services.inbox.admin.hideSecrets)
      }),
  }),

  defineRoute({
    name: 'deleteCapture',
    method: 'DELETE',
    path: '/captures/{id}',
    role: 'operator',
    summary: 'Deletes a captured request.',
    parameters,
    answer: object({ outcome: choice(['deleted']) }),
    changes: { action: 'captures.delete', target: (call) => call.parameters.id },
    run: ({ parameters: { id }, services }) =>
      withCaptures(services, async (captures) =>
        (await captures.delete(id)) ? { outcome: 'deleted' as const } : unknown(id),
      ),
  }),

  defineRoute({
    name: 'clearCaptures',
    method: 'POST',
    path: '/captures/clear',
    role: 'operator',
    summary: 'Deletes all captured requests of an endpoint.',
    body: object({ endpoint: endpointName }),
    answer: object({ deleted: whole() }),
    changes: { action: 'captures.clear', target: ({ body }) => body.endpoint, detail: ({ deleted }) => ({ deleted }) },
    run: ({ body, services }) => withCaptures(services, async ({ clear }) => ({ deleted: await clear(body.endpoint) })),
  }),

  defineRoute({
    name: 'saveCase',
    method: 'POST',
    path: '/captures/{id}/case',
    role: 'operator',
    summary:
      'Makes a case of a captured request: masked, with what is expected; saved beside the configuration if wished.',
    parameters,
    body: object({
      name: text({ most: 80 }),
      description: optional(text({ most: 2000 })),
      expect: optional(anything({ description: '{ status, headers, body, rows }. Default: status 2xx.' })),
      keep: optional(paths),
      mask: optional(paths),
      save: optional(flag({ description: 'Whether it is written to the folder of cases. Default true.' })),
    }),
    answer: object({ case: caseFile, isSaved: flag() }),
    changes: { action: 'captures.saveCase', target: (call) => `${call.parameters.id} ${call.body.name}` },
    run: ({ parameters: { id }, body, services }) =>
      withCaptures(services, async ({ cases }) => {
        const { save = true, expect, ...wish } = body
        const mistakes = expectMistakes(expect)
        if (mistakes.length > 0) return badRequest(mistakes.map((message) => ({ path: 'expect', message })))
        const made = await cases.make({
          ...wish,
          from: { kind: 'capture', id },
          expect: expect as CaseExpectation | undefined,
        })
        if (made.kind === 'not_found') return unknown(id)
        if (made.kind === 'wrong') return badRequest(made.mistakes.map((message) => ({ path: 'name', message })))
        if (save && (await cases.save(made.case)) === 'exists')
          return refuse('conflict', `There is a case ${body.name} already: choose another name.`)
        return { case: made.case, isSaved: save }
      }),
  }),

  defineRoute({
    name: 'listCases',
    method: 'GET',
    path: '/cases',
    role: 'viewer',
    summary: 'The cases beside the configuration.',
    answer: object({
      items: list(
        variants('kind', {
          case: object({ file: anyText(), case: caseFile }),
          wrong: object({ file: anyText(), mistakes: list(anyText()) }),
        }),
      ),
      folder: nullable(anyText()),
    }),
    run: ({ services }) =>
      withCaptures(services, async ({ cases }) => ({ items: await cases.list(), folder: cases.folder ?? null })),
  }),
]

function expectMistakes(expect: unknown): readonly string[] {
  if (expect === undefined) return []
  const read = readCase({ format: 'oncehook-case/1', name: 'a', request: { method: 'GET', headers: {} }, expect })
  return 'mistakes' in read ? read.mistakes : []
}

function unknown(id: string): Refusal {
  return refuse('not_found', `There is no capture ${id}, or no longer.`)
}
