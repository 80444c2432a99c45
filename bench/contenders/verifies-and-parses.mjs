// `node:http` that verifies the signature and parses the body, and stores nothing.
import { createServer } from 'node:http'
import { readBody, serve } from './serve.mjs'
import { isFromStripe } from './verify-stripe.mjs'

const secret = process.env.STRIPE_WEBHOOK_SECRET

serve(
  createServer((request, response) =>
    readBody(request, (body) => {
      if (!isFromStripe(request.headers['stripe-signature'], body, secret)) {
        response.writeHead(401).end('invalid signature')
        return
      }
      const event = JSON.parse(body.toString())
      response.writeHead(typeof event.id === 'string' ? 202 : 400).end('accepted')
    }),
  ),
)
