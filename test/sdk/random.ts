import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/** Choices that are the same for the same seed. */
export type Random = {
  /** A whole number from 0 up to, not including, this one. */
  readonly below: (limit: number) => number
  readonly pick: <Value>(values: readonly Value[]) => Value
  readonly bytes: (length: number) => Buffer
}

/** A stream of choices that depends on its seed alone. */
export function randomOf(seed: string): Random {
  let block = 0
  let rest = Buffer.alloc(0)
  const bytes = (length: number): Buffer => {
    while (rest.length < length) {
      rest = Buffer.concat([rest, crypto.createHash('sha256').update(`${seed} ${block}`).digest()])
      block += 1
    }
    const taken = rest.subarray(0, length)
    rest = rest.subarray(length)
    return Buffer.from(taken)
  }
  const below = (limit: number): number => bytes(4).readUInt32BE() % limit
  return { below, bytes, pick: (values) => values[below(values.length)] as never }
}

/**
 * Ids that are made while signing come from the seed as well, until the function that is returned is called.
 * Signatures by ECDSA stay new in every run: what is random in them is out of reach.
 */
export function seedNewIds(random: Random): () => void {
  const { randomBytes, randomUUID } = crypto
  const replace = (made: Pick<typeof crypto, 'randomBytes' | 'randomUUID'>) => {
    Object.assign(crypto, made)
    syncBuiltinESMExports()
  }
  replace({
    randomBytes: ((length: number) => random.bytes(length)) as typeof randomBytes,
    randomUUID: () => {
      const digits = random.bytes(16).toString('hex')
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`
    },
  })
  return () => replace({ randomBytes, randomUUID })
}
