import type { Delivery } from '../../delivery/delivery.ts'
import type { Scheme } from '../scheme.ts'

/** What is signed in the place of the body. */
export type SignedText = {
  /** The whole proof in a few words, for people. */
  readonly describe: string
  readonly textOf: (delivery: Delivery) => Uint8Array | string
  readonly isBodySigned: boolean
  readonly isUrlSigned: boolean
}

/** A scheme whose sender signs a text that it makes of the request, where the scheme has the body. */
export function overText({ textOf, ...description }: SignedText, scheme: Scheme): Scheme {
  const signedBody = (delivery: Delivery): Uint8Array => {
    const text = textOf(delivery)
    return typeof text === 'string' ? Buffer.from(text, 'utf8') : text
  }
  return {
    ...scheme,
    ...description,
    read: (delivery) => {
      const proof = scheme.read(delivery)
      if (proof.kind === 'forged') return proof
      return {
        ...proof,
        isMadeWith: (key, instead) => proof.isMadeWith(key, { body: signedBody({ ...delivery, ...instead }) }),
      }
    },
    sign: (delivery, key, at) => {
      const signed = scheme.sign({ ...delivery, body: signedBody(delivery) }, key, at)
      return { ...signed, body: delivery.body }
    },
  }
}
