// The bare contenders as servers: a check of the signature, `JSON.parse`, and whatever they do with the event.
import { createServer } from 'node:http'
import { readBody, serve } from './serve.mjs'
import { isFromStripe } from './verify-stripe.mjs'

const secret = process.env.STRIPE_WEBHOOK_SECRET

export function serveBare(take) {
  serve(
    createServer((request, response) =>
      readBody(request, (body) => {
        if (isFromStripe(request.headers['stripe-signature'], body, secret)) {
          void take({ event: JSON.parse(body.toString()), body, response })
        } else response.writeHead(401).end('invalid signature')
      }),
    ),
  )
}
