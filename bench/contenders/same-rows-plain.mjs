// The rows of Oncehook by hand, behind the way of plain requests that its own server has: how fast a door with these rows could be at all.
import { createServer } from 'node:net'
import { folder } from './oncehook-build.mjs'
import { recordSoon } from './record-same-rows.mjs'
import { serve } from './serve.mjs'
import { isFromStripe } from './verify-stripe.mjs'

const { createPlainLane } = await import(`${folder}/adapters/plain/plain-lane.js`)

const secret = process.env.STRIPE_WEBHOOK_SECRET
const accepted = { status: 202, body: 'accepted' }
const forged = { status: 401, body: 'invalid signature' }

const lane = createPlainLane({
  takes: () => true,
  async answer({ headers }, body) {
    if (!isFromStripe(headers.get('stripe-signature')[0], body, secret)) return forged
    await new Promise((resolve) => recordSoon(body, resolve))
    return accepted
  },
  keepAliveSeconds: 65,
  silenceSeconds: 5,
  handOver: (socket) => socket.destroy(),
  onIdle() {},
})

serve(createServer({ noDelay: true, allowHalfOpen: true }, lane.take))
