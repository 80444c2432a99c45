import { stripeDelivery } from '../support/inbox.ts'

export type RequestHandler = (request: Request) => Promise<Response>

/** A delivery as a framework hands it on. */
export function requestOf(id: string, secret?: string): Request {
  const { headers, body = '' } = stripeDelivery(id, 'invoice.paid', undefined, secret)
  const flat = [...(headers as ReadonlyMap<string, readonly string[]>)].flatMap(([name, values]) =>
    values.map((value): [string, string] => [name, value]),
  )
  return new Request('http://localhost/webhooks/stripe', { method: 'POST', headers: flat, body: Buffer.from(body) })
}

export async function idOf(request: Request): Promise<string> {
  return ((await request.json()) as { readonly id: string }).id
}

export const wrongSecret = 'whsec_ffffffffffffffffffffffffffffffff'
