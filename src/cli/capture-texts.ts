import type { Captures, Comparison, RuleInUse } from '../capture/create-captures.ts'
import type { Colour, Paint } from './colour.ts'
import { dayAndTime, describeDuration } from './duration.ts'
import { printable, shortened } from './printable.ts'
import { drawFacts, drawTable } from './table.ts'

type CaptureInBrief = Awaited<ReturnType<Captures['find']>>[number]
type Capture = NonNullable<Awaited<ReturnType<Captures['read']>>>
type Endpoint = Awaited<ReturnType<Captures['endpoints']['find']>>[number]
type Sent = Extract<Awaited<ReturnType<Captures['replay']>>, { readonly kind: 'sent' }>['replay']

/** Captures as a table, coloured by the class of their status. */
export function capturesTable(captures: readonly CaptureInBrief[], paint: Paint): string {
  const columns = [
    { title: 'capture', align: 'right' },
    { title: 'at' },
    { title: 'endpoint' },
    { title: 'method' },
    { title: 'path' },
    { title: 'bytes', align: 'right' },
    { title: 'answer' },
    { title: 'by' },
    { title: 'event' },
  ] as const
  const rows = captures.map(({ id, at, endpoint, method, path, query, bytes, answer, identity, problem }) => [
    id,
    dayAndTime(at),
    endpoint,
    printable(method),
    shortened(printable(`${path}${query === '' ? '' : `?${query}`}`) || '/', 50),
    String(bytes),
    answerText(answer, paint) + (problem === undefined ? '' : paint('yellow', ` ${problem.replaceAll('_', ' ')}`)),
    printable(answer.rule ?? '-'),
    identity === undefined
      ? '-'
      : shortened(printable(`${identity.provider} ${identity.type} ${identity.eventId}`), 80),
  ])
  return drawTable(columns, rows)
}

function answerText({ kind, status }: CaptureInBrief['answer'], paint: Paint): string {
  return status === undefined ? paint('red', kind) : paint(statusColour(status), String(status))
}

function statusColour(status: number): Colour {
  const colours: Readonly<Record<number, Colour>> = { 2: 'green', 3: 'cyan', 4: 'yellow' }
  return colours[Math.floor(status / 100)] ?? 'red'
}

/** One capture with all that is known of it. A sender wrote most of it, so nothing reaches the terminal as it is. */
export function captureText(capture: Capture, paint: Paint): string {
  const { id, at, endpoint, method, path, query, headers, content, answer, identity, problem } = capture
  const facts = drawFacts([
    ['capture', id],
    ['at', at.toISOString()],
    ['endpoint', endpoint],
    ['from', printable(capture.remoteAddress)],
    ['took', describeDuration(capture.tookMilliseconds)],
    [
      'event',
      identity === undefined ? '-' : printable(`${identity.eventId} (${identity.type}) of ${identity.provider}`),
    ],
    ...(problem === undefined ? [] : [['problem', paint('yellow', problem.replaceAll('_', ' '))] as const]),
  ])
  const request = `${printable(method)} /capture/${endpoint}${printable(path)}${query === '' ? '' : `?${printable(query)}`}`
  const origin = answer.origin === 'default' ? 'the default' : `the ${answer.origin} ${printable(answer.rule ?? '')}`
  return [
    facts,
    '',
    paint('bold', request),
    headerLines(headers),
    '',
    bodyText(content),
    '',
    `${answerText(answer, paint)} by ${origin}${answer.delaySeconds > 0 ? `, after ${answer.delaySeconds} s` : ''}`,
    headerLines(answer.headers),
    '',
    bodyText(answer.body),
  ].join('\n')
}

function headerLines(headers: readonly (readonly [string, string])[]): string {
  return headers.map(([name, value]) => printable(`${name}: ${value}`)).join('\n')
}

const longestShown = 20_000

function bodyText(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) return '(no body)'
  const lines = Buffer.from(bytes.subarray(0, longestShown)).toString('utf8').split(/\r?\n/)
  const more = bytes.byteLength > longestShown ? `\n… ${bytes.byteLength - longestShown} bytes more` : ''
  return lines.map(printable).join('\n') + more
}

/** The endpoints as a table. */
export function endpointsTable(endpoints: readonly Endpoint[]): string {
  const columns = [
    { title: 'endpoint' },
    { title: 'captures', align: 'right' },
    { title: 'received', align: 'right' },
    { title: 'last' },
    { title: 'made by' },
    { title: 'note' },
  ] as const
  const rows = endpoints.map(({ name, captures, received, lastAt, createdBy, note }) => [
    name,
    String(captures),
    String(received),
    lastAt === undefined ? '-' : dayAndTime(lastAt),
    printable(createdBy),
    shortened(printable(note), 60),
  ])
  return drawTable(columns, rows)
}

/** Rules in their order, with their counts. */
export function rulesTable(rules: readonly RuleInUse[]): string {
  const columns = [
    { title: 'rule' },
    { title: 'when' },
    { title: 'answer' },
    { title: 'answered', align: 'right' },
  ] as const
  const rows = rules.map(({ name, when, answer, answered }) => [
    printable(name),
    shortened(printable(JSON.stringify(when ?? {})), 70),
    shortened(printable(JSON.stringify(answer)), 50),
    String(answered),
  ])
  return drawTable(columns, rows)
}

/** The answers to a replay, side by side. */
export function replayTable({ results }: Sent, paint: Paint): string {
  const columns = [
    { title: 'attempt', align: 'right' },
    { title: 'status' },
    { title: 'took', align: 'right' },
    { title: 'answer' },
  ] as const
  const rows = results.map(({ attempt, status, tookMilliseconds, text, error }) => [
    String(attempt),
    status === undefined ? paint('red', 'none') : paint(statusColour(status), String(status)),
    describeDuration(tookMilliseconds),
    shortened(printable(error ?? text.replaceAll(/\s+/g, ' ')), 100),
  ])
  return drawTable(columns, rows)
}

/** What is equal and what is not. */
export function comparisonText(comparison: Comparison, paint: Paint): string {
  const { items, identity, headers, body, isTruncated, timing } = comparison
  const good = identity.verdict === 'same_event'
  const names = items.map(({ kind, id }) => ({ title: `${kind} ${id}` }))
  const cells = (values: readonly (string | undefined)[]): readonly string[] =>
    values.map((value) => (value === undefined ? paint('dim', '-') : shortened(printable(value), 40)))
  const headerRows = headers.map(({ name, role, values }) => [printable(name), role, ...cells(values)])
  const bodyRows = body.map(({ path, values }) => [printable(path), ...cells(values)])
  const times = timing.map(({ place, sinceFirstMilliseconds, sincePreviousMilliseconds }) => [
    items[place - 1] === undefined ? '' : `${items[place - 1]?.kind} ${items[place - 1]?.id}`,
    describeDuration(sinceFirstMilliseconds),
    describeDuration(sincePreviousMilliseconds),
  ])
  return [
    `${paint(good ? 'green' : 'yellow', identity.verdict.replaceAll('_', ' '))}  ${printable(identity.explanation)}`,
    ...(headerRows.length === 0
      ? []
      : ['', drawTable([{ title: 'header' }, { title: 'about' }, ...names], headerRows)]),
    ...(bodyRows.length === 0 ? [] : ['', drawTable([{ title: 'body' }, ...names], bodyRows)]),
    ...(isTruncated ? [paint('dim', 'There are more differences than these.')] : []),
    '',
    drawTable(
      [
        { title: 'in the order of time' },
        { title: 'since the first', align: 'right' },
        { title: 'since the one before', align: 'right' },
      ],
      times,
    ),
  ].join('\n')
}
