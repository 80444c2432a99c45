import { stripe } from '../../src/providers/stripe.ts'
import type { ReceivedRequest } from '../targets/http-receiver.ts'

/** What the provider signs with, and the app verifies with. */
export const secret = 'whsec_0123456789abcdef0123456789abcdef'
const source = stripe({ secret })

/** Sends an event as Stripe would. */
export async function post(
  url: string,
  event: { readonly id: string; readonly type: string; readonly payload?: object },
  name = 'stripe',
): Promise<{ readonly status: number; readonly body: string }> {
  const { id, type, payload = {} } = event
  const content = Buffer.from(
    JSON.stringify({ id, object: 'event', type, data: { object: { id: 'in_1' } }, ...payload }),
  )
  const { headers, body } = source.sign({ body: content }, new Date())
  const sent = [...headers].flatMap(([header, values]) => values.map((value): [string, string] => [header, value]))
  const { status } = await fetch(`${url}/in/${name}`, { method: 'POST', headers: sent, body: Buffer.from(body) })
  return { status, body: Buffer.from(body).toString('utf8') }
}

/** Whether an app with the secret of the source believes a request. */
export function isBelieved({ headers, body }: ReceivedRequest): boolean {
  const listed = new Map(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat()]))
  const delivery = { method: 'POST', url: 'http://localhost/', headers: listed, body: Buffer.from(body) }
  return source.verify(delivery, new Date()).kind === 'authentic'
}
