import type { NewReceipt } from '../receipt/receipt.ts'
import type { EffectTransaction, ReadReceipt, Store, StoredBody, StoreTransaction } from '../store/store.ts'
import { encryptedAutomations, sealedRun } from './encrypted-automations.ts'
import { encryptedDatastore, encryptedDatastoreTransaction } from './encrypted-datastore.ts'
import type { KeyRing, NamedKey } from './key-ring.ts'
import { openBody, sealBody } from './sealed-body.ts'
import { keyIdOfText, messageContext, openText, resultContext, sealText } from './sealed-text.ts'

/**
 * The store with everything encrypted that comes from a body: bodies and headers, messages of the outbox, results of `once`, values of the datastore, and traces of automations. What was
 * written before, in the clear or under another key, is still read. Messages are opened by `openedOutbox`.
 */
export function encryptedStore<Tx>(store: Store<Tx>, keys: KeyRing): Store<Tx> {
  return {
    ...store,
    async recordReceipts(receipts, onKnown) {
      const seal = receiptSealer(await keys.current())
      return store.recordReceipts(receipts.map(seal), onKnown)
    },
    recovery: {
      ...store.recovery,
      async recordHistory(step) {
        const seal = receiptSealer(await keys.current())
        const { busy, ...done } = await store.recovery.recordHistory({ ...step, receipts: step.receipts.map(seal) })
        const ids = new Set(busy.map(({ eventId }) => eventId))
        return { ...done, busy: step.receipts.filter(({ eventId }) => ids.has(eventId)) }
      },
    },
    shadow: {
      ...store.shadow,
      async recordProcessed(receipts) {
        const seal = receiptSealer(await keys.current())
        return store.shadow.recordProcessed(receipts.map(seal))
      },
    },
    datastore: encryptedDatastore(store.datastore, keys),
    automations: encryptedAutomations(store.automations, keys),
    async transaction(work, options) {
      // Before it begins: a transaction must not wait for a key.
      const key = await keys.current()
      return store.transaction((transaction) => work(encryptedTransaction(transaction, key, keys)), options)
    },
    async claim(request) {
      const claims = await store.claim(request)
      return Promise.all(
        claims.map(async (claim) => {
          const body = await opened(keys, claim.environment, claim)
          return body === claim.body ? claim : { ...claim, body }
        }),
      )
    },
    async readReceipt(environment, receiptId) {
      const receipt = await store.readReceipt(environment, receiptId)
      return receipt && { ...receipt, body: await opened(keys, environment, receipt) }
    },
    async readBody(environment, receiptId) {
      const receipt = await store.readReceipt(environment, receiptId)
      const body = receipt && (await opened(keys, environment, receipt))
      if (body?.sealed?.problem !== undefined) throw body.sealed.problem
      return body
    },
    async timeline(environment, receiptId) {
      const entries = await store.timeline(environment, receiptId)
      return Promise.all(
        entries.map(async (entry) => {
          if (entry.kind !== 'effect' || entry.result === undefined) return entry
          return { ...entry, result: await openedResult(keys, { environment, key: entry.key }, entry.result) }
        }),
      )
    },
  }
}

function encryptedTransaction<Tx>(
  transaction: StoreTransaction<Tx>,
  key: NamedKey,
  keys: KeyRing,
): StoreTransaction<Tx> {
  const seal = receiptSealer(key)
  const { beside } = transaction
  return {
    ...transaction,
    ...(beside !== undefined && {
      beside: () => {
        const side = beside()
        return { ...side, effects: () => encryptedEffects(side.effects(), key, keys) }
      },
    }),
    recordReceipt: (receipt) => transaction.recordReceipt(seal(receipt)),
    recordReceipts: (receipts) => transaction.recordReceipts(receipts.map(seal)),
    effects: () => encryptedEffects(transaction.effects(), key, keys),
  }
}

function encryptedEffects(effects: EffectTransaction, key: NamedKey, keys: KeyRing): EffectTransaction {
  return {
    ...effects,
    async claimEffect(effect) {
      const claimed = await effects.claimEffect(effect)
      if (claimed.kind === 'first' || claimed.result === undefined) return claimed
      return { kind: 'known', result: await openedResult(keys, effect, claimed.result) }
    },
    keepResult: (effect, result) =>
      effects.keepResult(effect, result === undefined ? result : sealText(key, result, resultContext(effect))),
    addMessage: (added) =>
      effects.addMessage({ ...added, message: sealText(key, added.message, messageContext(added)) }),
    datastore: encryptedDatastoreTransaction(effects.datastore, key, keys),
    noteAutomationRun: (run) => effects.noteAutomationRun(sealedRun(key, run)),
  }
}

async function openedResult(
  keys: KeyRing,
  effect: { readonly environment: string; readonly key: string },
  text: string,
): Promise<string> {
  const keyId = keyIdOfText(text)
  if (keyId === undefined) return text
  const name = `The result of effect "${effect.key}"`
  return openText(await keys.find(keyId), text, { name, context: resultContext(effect) })
}

/** The receipts of a batch share one body, which is sealed once. */
function receiptSealer(key: NamedKey): (receipt: NewReceipt) => NewReceipt {
  const sealed = new Map<NewReceipt['body'], NewReceipt['body']>()
  return (receipt) => {
    const { body } = receipt
    const known = sealed.get(body)
    if (known !== undefined) return { ...receipt, body: known }
    const { environment, source } = receipt
    const { content, headers, redaction } = body.stored ?? { ...body, redaction: undefined }
    const form = { content, headers, redaction, eventIds: body.eventIds }
    const made = { ...body, stored: sealBody(key, { environment, source, bodyId: body.id }, form) }
    sealed.set(body, made)
    return { ...receipt, body: made }
  }
}

/** The body as it was before it was encrypted. One that cannot be opened stays closed, and says why to whoever asks for what is in it. */
async function opened(
  keys: KeyRing,
  environment: string,
  { body, bodyId, event }: Pick<ReadReceipt, 'body' | 'bodyId' | 'event'>,
): Promise<StoredBody | undefined> {
  if (body?.sealed === undefined) return body
  const { sealed } = body
  try {
    const place = { environment, source: sealed.source, bodyId }
    const { content, headers, redaction } = openBody(await keys.find(sealed.keyId), place, {
      ...body,
      eventId: event.id,
    })
    return { content, headers, redaction }
  } catch (error) {
    return { ...body, sealed: { ...sealed, problem: error as Error } }
  }
}
