import type { CaptureAnswer, CaptureStore, HeaderPair } from '../store/capture-store.ts'
import type { CaptureRow } from '../store/sealed-store.ts'
import { cannotDecrypt } from './encryption-errors.ts'
import type { KeyRing, NamedKey } from './key-ring.ts'
import { open, seal } from './seal.ts'

/**
 * Captures with everything encrypted that a sender wrote or was told: query, headers and body, of request and answer. Method, path and
 * identity stay readable, because lists are made of them. What was written before is still read.
 */
export function encryptedCaptures(store: CaptureStore, keys: KeyRing): CaptureStore {
  return {
    ...store,
    async record(arrival, decide) {
      const key = await keys.current()
      const { environment, endpoint, query, headers, content } = arrival
      const place = { environment, endpoint }
      const sealed = sealPart(key, { place, part: 'request', preface: { query, headers }, content })
      let plain: CaptureAnswer | undefined
      const recorded = await store.record(
        { ...arrival, query: '', headers: [], content: sealed, keyId: key.id },
        (moment) => {
          const decision = decide(moment)
          plain = decision.answer
          return { ...decision, answer: sealAnswer(key, place, decision.answer) }
        },
      )
      return recorded.kind === 'recorded' && plain !== undefined ? { ...recorded, answer: plain } : recorded
    },
    async changeAnswer(change) {
      const { environment, id, answer } = change
      for (let attempt = 1; attempt <= attemptsAtChange; attempt += 1) {
        const capture = await store.read(environment, id)
        if (capture === undefined) return false
        const { keyId, endpoint } = capture
        const key = keyId === undefined ? undefined : await keys.find(keyId)
        const sealed = key === undefined ? answer : sealAnswer(key, { environment, endpoint }, answer)
        if (await store.changeAnswer({ environment, id, answer: sealed, keyId })) return true
      }
      return false
    },
    async read(environment, id) {
      const capture = await store.read(environment, id)
      if (capture?.keyId === undefined) return capture
      return openCapture(await keys.find(capture.keyId), environment, capture)
    },
  }
}

/** Between reading the key and writing with it, somebody may have put the capture under another one. */
const attemptsAtChange = 3

type Place = { readonly environment: string; readonly endpoint: string }
type Part = 'request' | 'answer'
type Preface = { readonly query?: string; readonly headers: readonly HeaderPair[] }

type Answer = Pick<CaptureAnswer, 'headers' | 'body'>

function sealAnswer<Given extends Answer>(key: NamedKey, place: Place, answer: Given): Given {
  const { headers, body } = answer
  return {
    ...answer,
    headers: [],
    body: sealPart(key, { place, part: 'answer', preface: { headers }, content: body }),
  }
}

/** A capture in the clear, under this key. */
export function sealCapture<Row extends CaptureRow>(key: NamedKey, environment: string, capture: Row): Row {
  const { endpoint, query, headers, content, answer } = capture
  const place = { environment, endpoint }
  return {
    ...capture,
    query: '',
    headers: [],
    content: sealPart(key, { place, part: 'request', preface: { query, headers }, content }),
    answer: sealAnswer(key, place, answer),
    keyId: key.id,
  }
}

/** A capture that is under this key, in the clear. Throws `ONCEHOOK_CANNOT_DECRYPT`. */
export function openCapture<Row extends CaptureRow>(key: NamedKey, environment: string, capture: Row): Row {
  const place = { environment, endpoint: capture.endpoint }
  const name = `The capture ${capture.id}`
  const request = openPart(key, { place, part: 'request', sealed: capture.content, name })
  const answer = openPart(key, { place, part: 'answer', sealed: capture.answer.body, name })
  return {
    ...capture,
    query: request.preface.query ?? '',
    headers: request.preface.headers,
    content: request.content,
    answer: { ...capture.answer, headers: answer.preface.headers, body: answer.content },
    keyId: undefined,
  }
}

type ToSeal = {
  readonly place: Place
  readonly part: Part
  readonly preface: Preface
  readonly content: Uint8Array
}

function sealPart({ id, key }: NamedKey, { place, part, preface, content }: ToSeal): Uint8Array {
  const text = Buffer.from(JSON.stringify(preface))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return seal(key, Buffer.concat([length, text, content]), contextOf(place, part, id))
}

type ToOpen = { readonly place: Place; readonly part: Part; readonly sealed: Uint8Array; readonly name: string }

function openPart({ id, key }: NamedKey, { place, part, sealed, name }: ToOpen): { preface: Preface; content: Buffer } {
  const plain = open(key, sealed, contextOf(place, part, id))
  if (plain === undefined) throw cannotDecrypt(name, id)
  const end = 4 + plain.readUInt32BE(0)
  return { preface: JSON.parse(plain.toString('utf8', 4, end)) as Preface, content: plain.subarray(end) }
}

function contextOf({ environment, endpoint }: Place, part: Part, keyId: string): readonly string[] {
  return ['capture', part, keyId, environment, endpoint]
}
