import type { KeyObject } from 'node:crypto'
import { rejectedOnAbort } from '../abort.ts'
import type { Clock } from '../clock.ts'
import { type Encryption, type EncryptionKey, type FetchEncryptionKey, readKey } from './encryption.ts'
import { keyUnavailable } from './encryption-errors.ts'

/** A key and the id that is written beside what it encrypts. */
export type NamedKey = { readonly id: string; readonly key: KeyObject }

/** The keys of an inbox. */
export type KeyRing = {
  readonly currentId: string
  /** The key for what is written now. Rejects with `ONCEHOOK_ENCRYPTION_KEY_UNAVAILABLE`. */
  readonly current: () => Promise<NamedKey>
  /** The same for a key of what was written before. */
  readonly find: (keyId: string) => Promise<NamedKey>
}

const keptMilliseconds = 3_600_000
/** A source that fails is not asked again at once by everybody who needs the key. */
const pauseMilliseconds = 5_000
const patienceMilliseconds = 10_000

/** The keys of options that were checked. */
export function createKeyRing({ keys, current }: Encryption, clock: Clock): KeyRing {
  const find = typeof keys === 'function' ? fetchedKeys(keys, clock) : givenKeys(keys)
  return { currentId: current, current: () => find(current), find }
}

function givenKeys(keys: Exclude<Encryption['keys'], FetchEncryptionKey>): KeyRing['find'] {
  const known = new Map<string, Promise<NamedKey>>()
  for (const [id, given] of Object.entries(keys)) {
    const key = readKey(given)
    if (typeof key !== 'string') known.set(id, Promise.resolve({ id, key }))
  }
  return (keyId) =>
    known.get(keyId) ??
    Promise.reject(
      keyUnavailable(keyId, 'which is not among encryption.keys: give it for as long as there are rows under it.'),
    )
}

type Kept = { readonly answer: Promise<NamedKey>; readonly until: number; readonly last: NamedKey | undefined }

/** Everybody who needs a key at the same time waits for one answer. */
function fetchedKeys(fetchKey: FetchEncryptionKey, clock: Clock): KeyRing['find'] {
  const kept = new Map<string, Kept>()

  return (keyId) => {
    const now = clock.now().getTime()
    const known = kept.get(keyId)
    if (known !== undefined && now < known.until) return known.answer
    const answer = fetchOne(keyId, known?.last)
    // Nobody may be waiting any more when it is rejected.
    answer.catch(() => {})
    kept.set(keyId, { answer, until: now + pauseMilliseconds, last: known?.last })
    return answer
  }

  async function fetchOne(keyId: string, last: NamedKey | undefined): Promise<NamedKey> {
    let given: EncryptionKey | undefined
    try {
      const signal = AbortSignal.timeout(patienceMilliseconds)
      given = await Promise.race([fetchKey(keyId, signal), rejectedOnAbort(signal)])
    } catch (error) {
      if (last === undefined)
        throw keyUnavailable(keyId, 'and encryption.keys could not fetch it. It is asked again.', error)
      // The service is away, but its last answer is not known to be wrong.
      return keep(last, pauseMilliseconds)
    }
    const key = given === undefined ? 'is not there.' : readKey(given)
    if (typeof key === 'string') {
      kept.set(keyId, { ...(kept.get(keyId) as Kept), last: undefined })
      throw keyUnavailable(keyId, `but according to encryption.keys that key ${key}`)
    }
    return keep({ id: keyId, key }, keptMilliseconds)
  }

  function keep(key: NamedKey, milliseconds: number): NamedKey {
    kept.set(key.id, { answer: Promise.resolve(key), until: clock.now().getTime() + milliseconds, last: key })
    return key
  }
}
