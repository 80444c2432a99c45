import type { Datastore } from '../datastore/datastore.ts'
import { effectFailed, invalidEffect, isOncehookError, OncehookError, transactionClosed } from '../errors.ts'
import { keyNotGiven } from '../privacy/encryption-errors.ts'
import { keyIdOfText } from '../privacy/sealed-text.ts'
import type { Ending, EventKey } from '../receipt/receipt.ts'
import type { EffectTransaction } from '../store/store.ts'
import { derivedKey } from './derived-key.ts'
import type { HandlerEffects, LatestOptions, OutboxOptions } from './handler.ts'
import { createHandlerDatastore, type ValueNote } from './handler-datastore.ts'
import { encodeVersion, showVersion, type Version } from './version.ts'

/** Whose effects these are. */
export type EffectScope = EventKey & {
  readonly receiptId: string
  readonly handler: string
  /** The names that messages can be sent to. */
  readonly targets: ReadonlySet<string>
  /** What messages are sent with, where runs are traced. */
  readonly traceparent: string | undefined
}

/** One thing that a handler's effects did or passed over, for logs and previews. */
export type EffectNote =
  | { readonly kind: 'effect'; readonly key: string; readonly outcome: 'applied' | 'skipped' }
  | { readonly kind: 'version'; readonly key: string; readonly version: string; readonly outcome: 'applied' | 'stale' }
  /** Another event has told of the same change, so the handler did not run. */
  | { readonly kind: 'change'; readonly key: string; readonly outcome: 'same_change' }
  | { readonly kind: 'message'; readonly target: string; readonly key: string; readonly outcome: 'added' | 'known' }
  | ValueNote

/** The effects of one handler run, and what is known of them when it has returned. */
export type EffectsOfRun = {
  readonly functions: HandlerEffects
  /** Throws if an effect is still running or has failed unnoticed; from then on every use throws. */
  readonly finish: () => void
  readonly notes: readonly EffectNote[]
  readonly ending: () => Ending
}

const longestResultBytes = 65_536
const longestMessageBytes = 1_048_576
const longestKey = 255

export function createHandlerEffects(transaction: () => EffectTransaction, scope: EffectScope): EffectsOfRun {
  const { environment, receiptId, handler, targets } = scope
  const notes: EffectNote[] = []
  const underWay = new Map<string, Promise<unknown>>()
  const messages = new Map<string, number>()
  let isOpen = true
  let running = 0
  let failure: { readonly effect: string; readonly error: unknown } | undefined
  let datastore: Datastore | undefined

  return {
    functions: {
      once,
      latest,
      outbox: { add },
      idempotencyKey,
      get datastore() {
        datastore ??= createHandlerDatastore(transaction().datastore, { environment, track, notes })
        return datastore
      },
    },
    notes,
    ending: () => (notes.some((note) => note.kind === 'version' && note.outcome === 'stale') ? 'stale' : 'processed'),
    finish() {
      isOpen = false
      if (running > 0) throw leftEffects(handler, running)
      if (failure === undefined) return
      throw isOncehookError(failure.error, 'ONCEHOOK_INVALID_EFFECT')
        ? failure.error
        : effectFailed(handler, failure.effect, failure.error)
    },
  }

  async function once<Result>(
    key: string,
    apply: () => Result | Promise<Result>,
  ): Promise<{ applied: boolean; result: Result }> {
    checkKey(key, 'the key of once()')
    // In one handler the second call waits for the first: the database would let both pass, they are one transaction.
    const first = underWay.get(key)
    if (first !== undefined) return { applied: false, result: (await first) as Result }
    const started = track(`effect "${key}"`, () => applyOnce(key, apply))
    const result = started.then((outcome) => outcome.result)
    result.catch(() => {})
    underWay.set(key, result)
    return started
  }

  async function applyOnce<Result>(
    key: string,
    apply: () => Result | Promise<Result>,
  ): Promise<{ applied: boolean; result: Result }> {
    const effect = { environment, key, receiptId, handler }
    const claimed = await transaction().claimEffect(effect)
    if (claimed.kind === 'known') {
      const keyId = claimed.result === undefined ? undefined : keyIdOfText(claimed.result)
      if (keyId !== undefined) throw keyNotGiven(keyId)
      notes.push({ kind: 'effect', key, outcome: 'skipped' })
      return {
        applied: false,
        result: (claimed.result === undefined ? undefined : JSON.parse(claimed.result)) as Result,
      }
    }
    const result = await apply()
    await transaction().keepResult(effect, asJson(result, longestResultBytes, `the result of effect "${key}"`))
    notes.push({ kind: 'effect', key, outcome: 'applied' })
    return { applied: true, result }
  }

  async function latest<Result>(
    key: string,
    version: Version,
    apply: () => Result | Promise<Result>,
    options: LatestOptions = {},
  ): Promise<{ applied: true; result: Result } | { applied: false }> {
    checkKey(key, 'the key of latest()')
    const encoded = encodeVersion(version, options.textOrder)
    if (encoded === undefined || Buffer.byteLength(encoded.text) > 2000) {
      throw refusal(`the version of "${key}" is not a date, a whole number, a text, or a list of these.`)
    }
    const { whenEqual = 'apply' } = options
    const shown = showVersion(version)
    return track(`update of "${key}"`, async () => {
      const raised = await transaction().raiseVersion({
        environment,
        key,
        receiptId,
        kind: encoded.kind,
        version: encoded.text,
        shown,
        whenEqual,
      })
      if (raised === 'other_kind') {
        throw refusal(`"${key}" has versions of another kind, which cannot be compared with ${shown}. Use another key.`)
      }
      notes.push({ kind: 'version', key, version: shown, outcome: raised === 'raised' ? 'applied' : 'stale' })
      return raised === 'raised' ? { applied: true, result: await apply() } : { applied: false }
    })
  }

  async function add(
    target: string,
    message: unknown,
    options: OutboxOptions = {},
  ): Promise<{ added: boolean; key: string }> {
    if (!targets.has(target)) {
      const known = targets.size === 0 ? 'createInbox has no targets' : `there are: ${[...targets].join(', ')}`
      throw refusal(`there is no target "${target}" for the outbox; ${known}.`)
    }
    const number = (messages.get(target) ?? 0) + 1
    messages.set(target, number)
    // The n-th message to a target is the same one in every retry, as long as the handler adds them in the same order.
    const { key = derivedKey(scope, ['message', handler, target, String(number)]), delaySeconds = 0, order } = options
    checkKey(key, 'the key of an outbox message')
    if (order !== undefined) checkKey(order, 'the order of an outbox message')
    if (!(delaySeconds >= 0 && delaySeconds <= 366 * 86_400)) throw refusal('delaySeconds must be from 0 to a year.')
    const json = asJson(message, longestMessageBytes, `the message to "${target}"`) ?? 'null'
    return track(`message to "${target}"`, async () => {
      const added = await transaction().addMessage({
        ...scope,
        target,
        key,
        message: json,
        delaySeconds,
        orderKey: order,
      })
      notes.push({ kind: 'message', target, key, outcome: added ? 'added' : 'known' })
      return { added, key }
    })
  }

  function idempotencyKey(label: string): string {
    checkKey(label, 'the label of idempotencyKey()')
    return derivedKey(scope, ['call', label])
  }

  /** Remembered, so that a handler which swallows it does not end as if all were well. */
  function refusal(mistake: string): OncehookError {
    const error = invalidEffect(handler, mistake)
    failure ??= { effect: 'effect', error }
    return error
  }

  async function track<Result>(effect: string, work: () => Promise<Result>): Promise<Result> {
    if (!isOpen) throw transactionClosed()
    running += 1
    try {
      return await work()
    } catch (error) {
      failure ??= { effect, error }
      throw error
    } finally {
      running -= 1
    }
  }

  function checkKey(key: unknown, what: string): void {
    if (
      typeof key === 'string' &&
      key.length > 0 &&
      key.length <= longestKey &&
      !key.includes('\u0000') &&
      key.isWellFormed()
    )
      return
    throw refusal(`${what} must be a text of 1 to ${longestKey} characters.`)
  }

  function asJson(value: unknown, mostBytes: number, what: string): string | undefined {
    let text: string | undefined
    try {
      text = JSON.stringify(value)
    } catch (error) {
      throw refusal(`${what} cannot be written as JSON (${error instanceof Error ? error.message : 'unknown'}).`)
    }
    if (text !== undefined && Buffer.byteLength(text) > mostBytes) {
      throw refusal(
        `${what} has more than ${mostBytes / 1024} KB as JSON. Store it in a table of your own and keep its key.`,
      )
    }
    return text
  }
}

function leftEffects(handler: string, count: number): OncehookError {
  return new OncehookError(
    'ONCEHOOK_HANDLER_LEFT_STATEMENTS',
    `Handler "${handler}" returned while ${count} of its effects ${count === 1 ? 'was' : 'were'} still running, ` +
      'so everything was rolled back. Await once(), latest(), outbox.add() and what you ask of the datastore.',
  )
}
