import type { Delivery } from '../../src/delivery/delivery.ts'
import type { Provider } from '../../src/verify/provider.ts'
import type { ProviderOptions } from '../../src/verify/provider-options.ts'

/** A provider under test, with two sets of keys that know nothing of each other. */
export type ProviderCase = {
  readonly name: string
  /** Tells two cases of one provider apart. */
  readonly variant?: string
  readonly create: (options: ProviderOptions) => Provider
  readonly keys: ProviderOptions
  readonly otherKeys: ProviderOptions
  /** Texts that must not show anywhere. */
  readonly secretTexts: readonly string[]
  readonly signatureHeader: string
  /** Where the timestamp is, and a delivery with another text in its place. */
  readonly withTimestamp?: (delivery: Delivery, timestamp: string) => Delivery
  readonly isBodySigned: boolean
}

/** The moment at which all of this happens. */
export const at = new Date('2026-11-15T12:00:00.000Z')

/** A delivery with these values of one header in place of its own. */
export function withValues(delivery: Delivery, header: string, values: readonly string[]): Delivery {
  const headers = new Map(delivery.headers)
  if (values.length === 0) headers.delete(header)
  else headers.set(header, values)
  return { ...delivery, headers }
}
