import { setTimeout as pause } from 'node:timers/promises'
import type { HeaderPair } from '../../store/capture-store.ts'
import type { Provider } from '../../verify/provider.ts'
import { resign } from '../resign.ts'
import type { CaseFile, CaseRequest, RowExpectation } from './case-file.ts'
import { type CaseAnswer, judgeAnswer, judgeRows } from './judge-case.ts'

/** How a case went. */
export type CaseResult = {
  readonly name: string
  readonly outcome: 'passed' | 'failed'
  /** What was not as expected, each in a sentence. */
  readonly mistakes: readonly string[]
  readonly answers: readonly { readonly status: number | undefined; readonly tookMilliseconds: number }[]
  readonly tookMilliseconds: number
}

export type CaseRequestToSend = {
  readonly method: string
  readonly headers: readonly HeaderPair[]
  readonly content: Uint8Array
}

export type CaseSurroundings = {
  /** Signs it; undefined if it goes as it is. */
  readonly provider: Provider | undefined
  /** Where it goes, as far as the signature covers that. */
  readonly url: string
  /** Never rejects. */
  readonly send: (request: CaseRequestToSend) => Promise<CaseAnswer & { readonly tookMilliseconds: number }>
  /** Works off what was queued, where that is ours to do. */
  readonly settle: () => Promise<void>
  /** Asks the database; undefined where there is none. */
  readonly ask:
    | ((sql: string, values: readonly unknown[]) => Promise<readonly Readonly<Record<string, unknown>>[]>)
    | undefined
  /** For `{{unique}}`. */
  readonly unique: string
  /** Default: the system's clock. */
  readonly now?: () => Date
}

/** Sends the request as often as the case says, and looks at what came of it. Never rejects. */
export async function runCase(file: CaseFile, surroundings: CaseSurroundings): Promise<CaseResult> {
  const startedAt = performance.now()
  const { times = 1, isParallel = false } = file.send ?? {}
  const answers: (CaseAnswer & { readonly tookMilliseconds: number })[] = []
  const mistakes: string[] = []
  try {
    const make = requestMaker(file.request, surroundings)
    const eventId = eventOf(make(), surroundings.provider)
    if (isParallel) answers.push(...(await Promise.all(Array.from({ length: times }, () => surroundings.send(make())))))
    else for (let attempt = 0; attempt < times; attempt += 1) answers.push(await surroundings.send(make()))
    for (const [index, answer] of answers.entries()) {
      const place = times === 1 ? '' : `answer ${index + 1}: `
      mistakes.push(...judgeAnswer(file.expect, answer).map((mistake) => `${place}${mistake}`))
    }
    await surroundings.settle()
    for (const row of file.expect.rows ?? []) mistakes.push(...(await rowMistakes(row, eventId, surroundings)))
  } catch (error) {
    mistakes.push(error instanceof Error ? error.message : String(error))
  }
  return {
    name: file.name,
    outcome: mistakes.length === 0 ? 'passed' : 'failed',
    mistakes,
    answers: answers.map(({ status, tookMilliseconds }) => ({ status, tookMilliseconds })),
    tookMilliseconds: performance.now() - startedAt,
  }
}

/** Signed anew each time, at the time of now: an old signature would be refused. */
function requestMaker(
  request: CaseRequest,
  { provider, url, unique, now = () => new Date() }: CaseSurroundings,
): () => CaseRequestToSend {
  const filled = (text: string): string => text.replaceAll('{{unique}}', unique)
  const method = request.method.toUpperCase()
  const headers = Object.entries(request.headers).map(([name, value]): HeaderPair => [name, filled(value)])
  const content = contentOf(request, filled)
  return () => ({
    method,
    ...(provider === undefined ? { headers, content } : resign(provider, { method, url, headers, content }, now())),
  })
}

function contentOf({ json, text, base64 }: CaseRequest, filled: (text: string) => string): Uint8Array {
  if (base64 !== undefined) return Buffer.from(base64, 'base64')
  return Buffer.from(filled(text ?? (json === undefined ? '' : JSON.stringify(json))))
}

function eventOf({ method, headers, content }: CaseRequestToSend, provider: Provider | undefined): string {
  const events = provider?.identify({ method, headers, body: content })
  return events === undefined || 'kind' in events ? '' : (events[0]?.id ?? '')
}

const pauseMilliseconds = 50

/** Asked again until it is right or the time is up. */
async function rowMistakes(
  row: RowExpectation,
  eventId: string,
  { ask }: CaseSurroundings,
): Promise<readonly string[]> {
  if (ask === undefined) return ['it expects rows, and there is no database to ask: give --database']
  const { sql, isAsking } = withParameter(row.sql)
  const endsAt = performance.now() + (row.withinSeconds ?? 10) * 1000
  for (;;) {
    const mistake = judgeRows(row, await ask(sql, isAsking ? [eventId] : []))
    if (mistake === undefined) return []
    if (performance.now() >= endsAt) return [mistake]
    await pause(pauseMilliseconds)
  }
}

/** `:event` as PostgreSQL has it, unless it stands in quotes. */
function withParameter(statement: string): { readonly sql: string; readonly isAsking: boolean } {
  let isAsking = false
  const sql = statement.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|(?<!:):event\b/g, (found) => {
    if (found !== ':event') return found
    isAsking = true
    return '$1::text'
  })
  return { sql, isAsking }
}
