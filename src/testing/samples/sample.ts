import type { EventToSign } from '../../index.ts'

/** What a sample is made of. */
export type SampleInput = {
  /** The event's id; undefined for a new one. */
  readonly id: string | undefined
  readonly at: Date
  /** 24 hex digits that are new for every event: ids of the event and of its objects are made of them. */
  readonly unique: string
}

/** The samples of one provider by event type. */
export type ProviderSamples = Readonly<Record<string, (input: SampleInput) => EventToSign>>

/** What the file of a provider's samples holds. */
export type SampleModule = {
  readonly samples: ProviderSamples
  /** Options without which the provider does not start, besides its keys: invented ones that fit the samples. */
  readonly settings?: Readonly<Record<string, unknown>>
}

/** Seconds since 1970. */
export function secondsOf(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}

/** A whole number out of the unique digits. */
export function numberOf(unique: string): number {
  return Number.parseInt(unique.slice(0, 12), 16)
}

/** Unique digits in the form 8-4-4-4-12. */
export function uuidOf(unique: string): string {
  const digits = unique.padEnd(32, '0')
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-')
}
