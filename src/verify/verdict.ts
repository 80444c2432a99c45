/** Why a delivery is not believed. Told to the developer, never to the sender. */
export type ForgedReason =
  | 'signature_missing'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'signature_repeated'
  | 'timestamp_missing'
  | 'timestamp_malformed'
  | 'timestamp_outside_tolerance'
  | 'token_missing'
  | 'token_mismatch'
  | 'secret_unknown'

/** What is known of a delivery's sender, from the exact bytes alone. */
export type Verdict =
  | {
      readonly kind: 'authentic'
      /** Which of the source's secrets verified it (0 is the first): shows when an old one has gone quiet. */
      readonly secretIndex: number
    }
  | {
      readonly kind: 'forged'
      readonly reason: ForgedReason
      /** The likely cause in the receiver's own set-up, for its developer's eyes only. */
      readonly hint?: string
    }
  | Malformed

/** A request that cannot be read, whoever sent it. */
export type Malformed = { readonly kind: 'malformed'; readonly detail: string }
