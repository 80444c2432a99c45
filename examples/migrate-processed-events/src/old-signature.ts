import { createHmac, timingSafeEqual } from 'node:crypto'

/** What `stripe.webhooks.constructEvent` does. */
export function isSignedByStripe(header: string | string[] | undefined, body: Buffer): boolean {
  const [, time = '', given = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(header)) ?? []
  const secret = process.env.STRIPE_WEBHOOK_SECRET ?? ''
  const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')
  const isFresh = Math.abs(Date.now() / 1000 - Number(time)) < 300
  return isFresh && given !== '' && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}
