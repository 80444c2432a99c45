import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceSeconds = 300

/** Stripe's signature, checked in the leanest way that is safe. Used by every contender but Oncehook, which has its own. */
export function isFromStripe(header, body, secret) {
  const [timestampPart, signaturePart] = header.split(',')
  const timestamp = timestampPart.slice(2)
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  const given = Buffer.from(signaturePart.slice(3), 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
