import { Agent, request } from 'node:http'
import { signatureOf } from './request-file.ts'
import { eventBody } from './stripe-events.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 1024 })

/** Sends one Stripe event and answers with the status, and when to try again if the server said so. */
export function sendEvent(event: {
  readonly port: number
  readonly serial: number
  readonly bytes?: number
}): Promise<{ readonly status: number; readonly retryAfterSeconds: number }> {
  const body = Buffer.from(eventBody(event.serial, event.bytes))
  const headers = { 'stripe-signature': signatureOf(body, String(Math.floor(Date.now() / 1000))) }
  return sendBody({ port: event.port, path: '/in/stripe', headers, body })
}

export function sendBody(delivery: {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}): Promise<{ readonly status: number; readonly retryAfterSeconds: number }> {
  const { port, path, body } = delivery
  const headers = { ...delivery.headers, 'content-type': 'application/json', 'content-length': body.length }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent }, (response) => {
      response.resume().on('end', () => {
        const retryAfterSeconds = Number(response.headers['retry-after'] ?? 0)
        resolve({ status: response.statusCode ?? 0, retryAfterSeconds })
      })
    })
    sent.on('error', reject).end(body)
  })
}
