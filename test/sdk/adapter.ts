import type { Delivery } from '../../src/delivery/delivery.ts'
import type { EventToSign } from '../../src/verify/provider.ts'
import type { ProviderOptions } from '../../src/verify/provider-options.ts'
import type { Random } from './random.ts'

/** One provider, its own library, and where the two of us are allowed to differ. */
export type Adapter = {
  /** Its name among our providers. */
  readonly provider: string
  /** Tells two adapters of one provider apart. */
  readonly variant?: string
  /** The name of its package. */
  readonly library: string
  /** The function that is asked, for people. */
  readonly calls: string
  readonly keys: KeyPairs
  /** Options that our source needs besides keys. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly proof: ProofPlace
  /** Where the signed timestamp is, if there is one. */
  readonly timestamp?: TimestampPlace
  /** The largest age that the library accepts, where it is not ours. */
  readonly libraryToleranceSeconds?: number
  /** What bodies can be made of; `own`: only `events` knows. Default `json`. */
  readonly bodies?: 'json' | 'form' | 'own'
  /** Default: our samples. */
  readonly events?: (random: Random) => EventToSign
  /** Loads the library and says how it is asked. */
  readonly load: () => Promise<Library>
  /** Where one of us is stricter, and why that is right. */
  readonly differences: readonly Difference[]
  /** Where we are wrong and know it. */
  readonly known?: readonly Difference[]
}

/** A library, ready to be asked. */
export type Library = {
  /** True if it believes the request. What it throws is a no. */
  readonly verify: (asked: Asked) => boolean | Promise<boolean>
  /** The headers that the library itself would send, where it can sign. */
  readonly sign?: (asked: Asked) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
}

/** A request as an application sees it: Node joins what is sent twice, and writes names in lower case. */
export type Asked = {
  readonly delivery: Delivery
  readonly headers: Readonly<Record<string, string>>
  /** As applications do: with the type of one that is there. */
  readonly header: (name: string) => string
  readonly body: Buffer
  readonly text: string
  readonly key: string
  readonly at: Date
}

/** The key that signs and is expected, and one that knows nothing of it. */
export type KeyPairs = readonly [Key, Key]

/** One key, as our source and as the library take it. */
export type Key = { readonly options: ProviderOptions; readonly library: string }

/** Where a delivery carries its proof: `undefined` is none at all. */
export type ProofPlace = {
  readonly header?: string
  /** How several signatures stand in the header, where that is meant to be. */
  readonly list?: { readonly separator: string; readonly entry: (signature: string) => string }
  readonly read: (delivery: Delivery) => string
  readonly write: (delivery: Delivery, value: string | undefined) => Delivery
}

/** Where a delivery carries its timestamp. */
export type TimestampPlace = {
  readonly unit: 'seconds' | 'milliseconds' | 'iso8601'
  readonly read: (delivery: Delivery) => string
  readonly write: (delivery: Delivery, value: string) => Delivery
  /** The delivery signed anew, with this text as its timestamp. */
  readonly signAnew?: (delivery: Delivery, value: string, key: Key) => Delivery
}

/** A disagreement that is meant to be. */
export type Difference = {
  readonly name: string
  /** A sentence that says why. */
  readonly reason: string
  /** What we do where the library does the opposite. */
  readonly we: 'accept' | 'refuse'
  readonly isMeant: (situation: Situation) => boolean
}

/** What the two of us disagree about. */
export type Situation = {
  readonly mutation: string
  readonly delivery: Delivery
  readonly asked: Asked
  /** How long ago it was signed; negative if that is yet to come. */
  readonly ageSeconds: number
  readonly toleranceSeconds: number | undefined
  /** What the proof was before it was changed. */
  readonly rightProof: string
  readonly proof: string
}
