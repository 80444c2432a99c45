import type { KeyObject } from 'node:crypto'

/** What is signed, in pieces, so that a body of megabytes is not copied. */
export type SignedContent = readonly (string | Uint8Array)[]

/** A signature algorithm: makes signatures, and says whether one of several was made with a key. */
export type Algorithm = {
  readonly name: string
  readonly keyType: 'secret' | 'public'
  /** What is to be said against it, as a sentence. */
  readonly weakness?: string
  /** False for a signature whose length alone says that it is none. */
  readonly hasLength: (bytes: number) => boolean
  /** Constant time; may throw on a key of another kind. */
  readonly isMadeWith: (key: KeyObject, content: SignedContent, signatures: readonly Uint8Array[]) => boolean
  readonly make: (key: KeyObject, content: SignedContent) => Uint8Array
}

/** The pieces as one buffer, for algorithms that cannot be fed in steps. */
export function joined(content: SignedContent): Buffer {
  return Buffer.concat(content.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece)))
}
