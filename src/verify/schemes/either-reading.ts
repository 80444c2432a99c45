import type { KeyObject } from 'node:crypto'
import { isKeyMistake, type KeyFormat } from '../keys.ts'
import type { Instead, Proof, Scheme } from '../scheme.ts'

/**
 * A scheme whose secret is its characters, for a sender that may also mean them in another way: what either key made is right.
 * The characters sign.
 */
export function eitherReading(scheme: Scheme, other: KeyFormat): Scheme {
  const isMadeWithOther = (proof: Proof, key: KeyObject, instead?: Instead): boolean => {
    const otherKey = other(key.export().toString('utf8'))
    return !isKeyMistake(otherKey) && proof.isMadeWith(otherKey, instead)
  }
  return {
    ...scheme,
    read: (delivery) => {
      const proof = scheme.read(delivery)
      if (proof.kind === 'forged') return proof
      return {
        ...proof,
        isMadeWith: (key, instead) => proof.isMadeWith(key, instead) || isMadeWithOther(proof, key, instead),
      }
    },
  }
}
