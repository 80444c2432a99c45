import { describeError, isOncehookError } from '../errors.ts'
import type {
  BodyRow,
  CaptureRow,
  RekeyRows,
  ReplacedBody,
  ReplacedCapture,
  ReplacedText,
  SealedKind,
  SealedStore,
  TextRow,
} from '../store/sealed-store.ts'
import { openCapture, sealCapture } from './encrypted-captures.ts'
import type { KeyRing } from './key-ring.ts'
import { openBody, sealBody } from './sealed-body.ts'
import {
  keyIdOfText,
  messageContext,
  nameOfTrace,
  nameOfValue,
  openText,
  resultContext,
  sealText,
  traceContext,
  valueContext,
} from './sealed-text.ts'

/** How to follow and to stop it. */
export type RekeyOptions = {
  /** Called after every batch. */
  readonly onProgress?: (report: RekeyReport) => void
  /** Stops it after the batch that is under way. Whoever calls again goes on with what is left. */
  readonly signal?: AbortSignal
}

/** What is now under the current key, and was not before. */
export type RekeyReport = {
  readonly bodies: number
  readonly messages: number
  readonly results: number
  /** Of the datastore. */
  readonly values: number
  /** Of runs of automations. */
  readonly traces: number
  readonly captures: number
  /** What could not be decrypted, and was left as it is. As long as there is any, no key can be thrown away. */
  readonly unreadable: number
  /** Why, for the first of them. */
  readonly problems: readonly string[]
  /** False if the signal stopped it. */
  readonly isComplete: boolean
  /** The receipt that the bodies are done up to. */
  readonly lastReceiptId: string | undefined
}

export type RekeyParts = {
  readonly store: SealedStore
  readonly keys: KeyRing
  readonly environment: string
}

const mostProblems = 10

/**
 * Puts everything of the environment under the current key: what is under others, and what is in the clear. In batches, each of them
 * committed; whatever somebody else changed meanwhile is left alone. Safe to run while deliveries come, and by several at once.
 */
export async function rekey(
  { store, keys, environment }: RekeyParts,
  options: RekeyOptions = {},
): Promise<RekeyReport> {
  const { onProgress, signal } = options
  const key = await keys.current()
  const counts = { bodies: 0, messages: 0, results: 0, values: 0, traces: 0, captures: 0, unreadable: 0 }
  const problems: string[] = []
  let lastReceiptId: string | undefined
  const reportNow = (isComplete: boolean): RekeyReport => ({
    ...counts,
    problems: [...problems],
    isComplete,
    lastReceiptId,
  })

  const isDone =
    (await walk(
      (after) => store.bodies({ environment, keyId: key.id, after }),
      async (rows, next) => {
        counts.bodies += await store.replaceBodies(await each(rows, resealBody))
        lastReceiptId = next ?? lastReceiptId
      },
    )) &&
    (await walkTexts('message', (count) => {
      counts.messages += count
    })) &&
    (await walkTexts('result', (count) => {
      counts.results += count
    })) &&
    (await walkTexts('value', (count) => {
      counts.values += count
    })) &&
    (await walkTexts('trace', (count) => {
      counts.traces += count
    })) &&
    (await walk(
      (after) => store.captures({ environment, keyId: key.id, after }),
      async (rows) => {
        counts.captures += await store.replaceCaptures(environment, await each(rows, resealCapture))
      },
    ))
  return reportNow(isDone)

  function walkTexts(kind: SealedKind, add: (count: number) => void): Promise<boolean> {
    return walk(
      (after) => store.texts(kind, { environment, keyId: key.id, after }),
      async (rows) =>
        add(await store.replaceTexts(kind, environment, await each(rows, (row) => resealText(kind, row)))),
    )
  }

  /** True if it came to the end. */
  async function walk<Row>(
    read: (after: string | undefined) => Promise<RekeyRows<Row>>,
    replace: (rows: readonly Row[], next: string | undefined) => Promise<void>,
  ): Promise<boolean> {
    let after: string | undefined
    for (;;) {
      if (signal?.aborted === true) return false
      const { rows, next } = await read(after)
      await replace(rows, next)
      onProgress?.(reportNow(false))
      if (next === undefined) return true
      after = next
    }
  }

  /** One that cannot be opened must not stop the others. */
  async function each<Row, Replaced>(
    rows: readonly Row[],
    reseal: (row: Row) => Promise<Replaced>,
  ): Promise<readonly Replaced[]> {
    const resealed: Replaced[] = []
    for (const row of rows) {
      try {
        resealed.push(await reseal(row))
      } catch (error) {
        if (!isUnreadable(error)) throw error
        counts.unreadable += 1
        if (problems.length < mostProblems) problems.push(describeError(error))
      }
    }
    return resealed
  }

  async function resealBody(before: BodyRow): Promise<ReplacedBody> {
    const { bodyId, source, body } = before
    const place = { environment, source, bodyId }
    const plain = body.sealed === undefined ? body : openBody(await keys.find(body.sealed.keyId), place, body)
    return { before, after: sealBody(key, place, plain) }
  }

  async function resealCapture(before: CaptureRow): Promise<ReplacedCapture> {
    const plain = before.keyId === undefined ? before : openCapture(await keys.find(before.keyId), environment, before)
    return { before, after: sealCapture(key, environment, plain) }
  }

  async function resealText(kind: SealedKind, before: TextRow): Promise<ReplacedText> {
    return { before, after: await resealed(kind, before) }
  }

  async function resealed(kind: SealedKind, { id, target = '', key: name, text }: TextRow): Promise<string> {
    const { context, what } = placeOf(kind, { id, target, key: name })
    const keyId = keyIdOfText(text)
    const json = keyId === undefined ? text : openText(await keys.find(keyId), text, { name: what, context })
    return sealText(key, json, context)
  }

  /** Where it is, so that it cannot be moved, and what it is called. */
  function placeOf(
    kind: SealedKind,
    { id, target, key: name }: { readonly id: string; readonly target: string; readonly key: string },
  ): { readonly context: readonly string[]; readonly what: string } {
    switch (kind) {
      case 'message':
        return { context: messageContext({ environment, target, key: name }), what: `Message ${id} to "${target}"` }
      case 'result':
        return { context: resultContext({ environment, key: name }), what: `The result of effect "${name}"` }
      case 'value':
        return { context: valueContext({ environment, namespace: target, key: name }), what: nameOfValue(target, name) }
      case 'trace': {
        const [receiptId = '', attempt = ''] = name.split(' ')
        const run = { environment, automation: target, receiptId, attempt }
        return { context: traceContext(run), what: nameOfTrace({ id, automation: target }) }
      }
    }
  }
}

function isUnreadable(error: unknown): boolean {
  return (
    isOncehookError(error, 'ONCEHOOK_CANNOT_DECRYPT') || isOncehookError(error, 'ONCEHOOK_ENCRYPTION_KEY_UNAVAILABLE')
  )
}
