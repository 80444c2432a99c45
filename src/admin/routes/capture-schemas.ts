import { isUtf8 } from 'node:buffer'
import type { Captures } from '../../capture/create-captures.ts'
import { maskedHeaders } from '../../capture/masked-headers.ts'
import { list, object, pair } from '../compound-schema.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { anyText, anything, choice, flag, named, nullable, number, type Schema, text, time, whole } from '../schema.ts'
import type { Services } from '../services.ts'

type OrNull<Value> = { readonly [Name in keyof Value]-?: Exclude<Value[Name], undefined> | OnlyNull<Value[Name]> }
type OnlyNull<Value> = undefined extends Value ? null : never

type Capture = NonNullable<Awaited<ReturnType<Captures['read']>>>
type CaptureInBrief = Awaited<ReturnType<Captures['find']>>[number]

export const captureId: Schema<string> = text({ most: 18, pattern: /^\d+$/, expected: 'the id of a capture' })
export const endpointName: Schema<string> = text({ most: 63, description: 'Small letters, digits, "-" and "_".' })
export const headerPairs: Schema<readonly (readonly [string, string])[]> = list(pair(anyText(), anyText()), {
  most: 5000,
  description:
    'In their order, with duplicates. Values that prove or grant something are masked, alike if they are equal.',
})

const identity = nullable(
  named('CaptureIdentity', object({ provider: anyText(), eventId: anyText(), type: anyText() })),
)

const origin = choice(['default', 'rule', 'automation'])
const answerKind = choice(['sent', 'hang', 'drop', 'none'], {
  description: '`hang` and `drop`: a rule gave no answer. `none`: the sender was gone.',
})

const common = {
  id: anyText(),
  endpoint: anyText(),
  at: time(),
  method: anyText(),
  path: anyText({ description: 'What followed the name of the endpoint.' }),
  query: anyText(),
  bytes: whole(),
  remoteAddress: anyText(),
  tookMilliseconds: number({ description: 'Until all of it had come.' }),
  problem: nullable(choice(['too_large', 'too_slow', 'cut_short'], { description: 'Then there is no body.' })),
  identity,
} as const

/** What is missing is null on the wire. */
type ShownInBrief = OrNull<Omit<CaptureInBrief, 'answer'>> & { readonly answer: OrNull<CaptureInBrief['answer']> }

/** A capture for lists. */
export const captureInBrief: Schema<ShownInBrief> = named(
  'CaptureInBrief',
  object({
    ...common,
    answer: object({ kind: answerKind, status: nullable(whole()), origin, rule: nullable(anyText()) }),
  }),
)

export function shownInBrief({ answer, ...rest }: CaptureInBrief): ShownInBrief {
  return {
    ...rest,
    problem: rest.problem ?? null,
    identity: rest.identity ?? null,
    answer: { ...answer, status: answer.status ?? null, rule: answer.rule ?? null },
  }
}

/** What is shown of bytes. */
const shownBytes = {
  text: nullable(anyText({ description: 'Null if it is not UTF-8.' })),
  base64: anyText(),
  isTruncated: flag({ description: 'Whether `text` and `base64` are only the beginning.' }),
} as const

type ShownBytes = { readonly text: string | null; readonly base64: string; readonly isTruncated: boolean }

type ShownCapture = OrNull<Omit<Capture, 'content' | 'answer' | 'keyId'>> &
  ShownBytes & { readonly answer: OrNull<Omit<Capture['answer'], 'body'>> & ShownBytes }

export const capture: Schema<ShownCapture> = named(
  'Capture',
  object({
    ...common,
    headers: headerPairs,
    ...shownBytes,
    answer: object({
      kind: answerKind,
      status: nullable(whole()),
      headers: headerPairs,
      ...shownBytes,
      delaySeconds: number(),
      origin,
      rule: nullable(anyText({ description: 'The rule or the automation that it came from.' })),
    }),
  }),
)

/** More than this is not shown: a page that holds it would be slow, and nobody reads it. */
const mostShownBytes = 512 * 1024

function shownBytesOf(bytes: Uint8Array, hide: (text: string) => string): ShownBytes {
  const cut = Buffer.from(bytes.subarray(0, mostShownBytes))
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
  const hidden = Buffer.from(hide(cut.toString(encoding)), encoding)
  return {
    text: encoding === 'utf8' ? hidden.toString('utf8') : null,
    base64: hidden.toString('base64'),
    isTruncated: bytes.byteLength > cut.byteLength,
  }
}

/** As it goes over the wire, without signatures and without secrets of ours. */
export function shownCapture(
  { headers, content, answer, keyId: _key, ...rest }: Capture,
  hide: (text: string) => string,
): ShownCapture {
  return {
    ...rest,
    problem: rest.problem ?? null,
    identity: rest.identity ?? null,
    headers: maskedHeaders(headers),
    ...shownBytesOf(content, hide),
    answer: {
      kind: answer.kind,
      status: answer.status ?? null,
      headers: maskedHeaders(answer.headers),
      ...shownBytesOf(answer.body, hide),
      delaySeconds: answer.delaySeconds,
      origin: answer.origin,
      rule: answer.rule ?? null,
    },
  }
}

type Endpoint = Awaited<ReturnType<Captures['endpoints']['find']>>[number]
type ShownEndpoint = OrNull<Endpoint> & { readonly url: string | null }

export const endpoint: Schema<ShownEndpoint> = named(
  'CaptureEndpoint',
  object({
    name: anyText(),
    url: nullable(anyText()),
    note: anyText(),
    createdAt: time(),
    createdBy: anyText(),
    captures: whole({ description: 'How many are kept.' }),
    bytes: whole(),
    received: whole({ description: 'How many came, also those that are gone.' }),
    lastAt: nullable(time()),
  }),
)

export function shownEndpoint(known: Endpoint, { ingestUrl }: Pick<Services, 'ingestUrl'>): ShownEndpoint {
  const url = ingestUrl === undefined ? null : `${ingestUrl}/capture/${known.name}`
  return { ...known, url, lastAt: known.lastAt ?? null }
}

/** Its parts are described in the documentation; every mistake in them is named by its path. */
export const rule: Schema<unknown> = anything({ description: '{ name, when, answer }: see the page on captures.' })

/** Captures are a part of the gateway, and not of every inbox. */
export async function withCaptures<Answer>(
  { captures }: Services,
  work: (captures: Captures) => Promise<Answer | Refusal>,
): Promise<Answer | Refusal> {
  return captures === undefined ? refuse('not_found', 'There are no captures here.') : work(captures)
}
