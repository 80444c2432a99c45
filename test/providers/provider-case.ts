import { test } from 'vitest'
import { type Delivery, onlyHeader } from '../../src/delivery/delivery.ts'
import type { SampleSet } from '../../src/testing/samples/index.ts'
import type { Provider } from '../../src/verify/provider.ts'
import type { ProviderOptions } from '../../src/verify/provider-options.ts'

/** A provider under test, with two sets of keys that know nothing of each other. */
export type ProviderCase = {
  readonly name: string
  /** Tells two cases of one provider apart. */
  readonly variant?: string
  readonly create: (options: ProviderOptions) => Provider
  readonly samples: SampleSet
  readonly keys: ProviderOptions
  readonly otherKeys: ProviderOptions
  /** Texts that must not show anywhere. */
  readonly secretTexts: readonly string[]
  /** Where the signature or token is. */
  readonly proof: ProofPlace
  /** A delivery with another text in the place of its timestamp, where one is signed. */
  readonly withTimestamp?: (delivery: Delivery, timestamp: string) => Delivery
  /** How the timestamp is written. Default `seconds`. */
  readonly timestampUnit?: 'seconds' | 'milliseconds' | 'iso8601'
  /** How much of the body the proof covers: all, nothing, or the texts that are given for a delivery. */
  readonly coverage: 'all' | 'none' | ((delivery: Delivery) => readonly string[])
  /**
   * A body that the provider can sign as it is. Default: one with odd whitespace, escapes and umlauts.
   * `none`: signing writes into the body, so no body stays as it is.
   */
  readonly exactBody?: string
  /** True if it starts without a key, because it fetches those of the provider. */
  readonly isKeyFetched?: boolean
  /** True if every delivery counts as a new event, because nothing tells two of them apart. */
  readonly isEveryDeliveryNew?: boolean
}

/** Where a delivery carries its proof. */
export type ProofPlace = {
  readonly header?: string
  readonly read: (delivery: Delivery) => string
  /** The delivery with these values in place of its own: none, one, or several where they can be repeated. */
  readonly write: (delivery: Delivery, values: readonly string[]) => Delivery
}

/** A proof in a header. */
export function inHeader(header: string): ProofPlace {
  return {
    header,
    read: ({ headers }) => onlyHeader(headers, header) ?? '',
    write: (delivery, values) => withValues(delivery, header, values),
  }
}

/** A proof in the query of the address. */
export function inQuery(parameter: string): ProofPlace {
  return {
    read: ({ url }) => new URL(url).searchParams.get(parameter) ?? '',
    write: (delivery, values) => {
      const url = new URL(delivery.url)
      url.searchParams.delete(parameter)
      for (const value of values) url.searchParams.append(parameter, value)
      return { ...delivery, url: url.href }
    },
  }
}

/** A proof that is a text inside the JSON body, at a path such as `signature.signature`; numbers in the path are list indexes. */
export function inBody(path: string): ProofPlace {
  const names = path.split('.')
  const last = names.at(-1) ?? ''
  const ownerOf = (document: unknown): Record<string, unknown> =>
    names.slice(0, -1).reduce((value, name) => (value as Record<string, unknown>)[name], document) as never
  return {
    read: ({ body }) => {
      const value = ownerOf(JSON.parse(Buffer.from(body).toString('utf8')))[last]
      return typeof value === 'string' ? value : ''
    },
    write: (delivery, [value]) => {
      const document: unknown = JSON.parse(Buffer.from(delivery.body).toString('utf8'))
      if (value === undefined) delete ownerOf(document)[last]
      else ownerOf(document)[last] = value
      return { ...delivery, body: Buffer.from(JSON.stringify(document)) }
    },
  }
}

/** A proof in a field of a form. */
export function inForm(name: string): ProofPlace {
  const formOf = ({ body }: Delivery) => new URLSearchParams(Buffer.from(body).toString('utf8'))
  return {
    read: (delivery) => formOf(delivery).get(name) ?? '',
    write: (delivery, values) => {
      const form = formOf(delivery)
      form.delete(name)
      for (const value of values) form.append(name, value)
      return { ...delivery, body: Buffer.from(form.toString()) }
    },
  }
}

/** A timestamp in a header of its own. */
export function timestampHeader(header: string): NonNullable<ProviderCase['withTimestamp']> {
  return (delivery, timestamp) => withValues(delivery, header, [timestamp])
}

/** A timestamp in the list of the signature's header, under this name. */
export function timestampPair(header: string, name: string): NonNullable<ProviderCase['withTimestamp']> {
  return (delivery, timestamp) =>
    withValues(delivery, header, [
      (onlyHeader(delivery.headers, header) ?? '').replace(/=\d+/, `=${timestamp}`).replace(/^.*?=/, `${name}=`),
    ])
}

/** A test where the promise has a meaning; elsewhere there is none, rather than one that is skipped. */
export function testIf(isMeant: boolean): (name: string, run: () => void) => void {
  return (name, run) => {
    if (isMeant) test(name, run)
  }
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
