import { type Delivery, toDeliveryHeaders } from '../../src/delivery/delivery.ts'
import type { Asked } from './adapter.ts'

/** A delivery as an application would hand it to the library. */
export function toAsked(delivery: Delivery, key: string, at: Date): Asked {
  const headers = Object.fromEntries(
    [...toDeliveryHeaders(Object.fromEntries(delivery.headers))].map(([name, values]) => [name, values.join(', ')]),
  )
  const body = Buffer.from(delivery.body)
  return { delivery, headers, header: (name) => headers[name] as string, body, text: body.toString('utf8'), key, at }
}

/** For a function that throws what it does not believe. */
export async function believes(work: () => unknown): Promise<boolean> {
  await work()
  return true
}

/** The same, for a function that parses what it has verified: then a body that is no JSON was believed before. */
export async function believesBeforeParsing(work: () => unknown): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    return error instanceof SyntaxError
  }
}
