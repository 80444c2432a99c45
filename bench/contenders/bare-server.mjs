// The contenders without Oncehook as servers: a check of the signature, and whatever they do with the delivery.
import { createServer } from 'node:http'
import { readBody, serve } from './serve.mjs'
import { isFromStripe } from './verify-stripe.mjs'

const secret = process.env.STRIPE_WEBHOOK_SECRET

/** Nothing is parsed: `take` gets the bytes. */
export function serveVerified(take) {
  serve(
    createServer((request, response) =>
      readBody(request, (body) => {
        if (isFromStripe(request.headers['stripe-signature'], body, secret)) take(body, response)
        else response.writeHead(401).end('invalid signature')
      }),
    ),
  )
}

export function serveBare(take) {
  serveVerified((body, response) => void take({ event: JSON.parse(body.toString()), body, response }))
}
