import type { Delivery } from '../../delivery/delivery.ts'
import type { Instead, Scheme } from '../scheme.ts'

/**
 * A scheme whose signature may be over the delivery as it came, or over another spelling of it that means the same: for
 * providers whose documents and libraries disagree. It signs what is there.
 */
export function alsoSignedAs(scheme: Scheme, otherSpelling: (delivery: Delivery) => Instead | undefined): Scheme {
  return {
    ...scheme,
    read: (delivery) => {
      const proof = scheme.read(delivery)
      if (proof.kind === 'forged') return proof
      return {
        ...proof,
        isMadeWith: (key, instead) => {
          if (proof.isMadeWith(key, instead)) return true
          const other = otherSpelling({ ...delivery, ...instead })
          return other !== undefined && proof.isMadeWith(key, { ...instead, ...other })
        },
      }
    },
  }
}
