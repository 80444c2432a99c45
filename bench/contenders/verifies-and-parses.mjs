// `node:http` that verifies the signature and parses the body, and stores nothing.
import { serveVerified } from './bare-server.mjs'

serveVerified((body, response) => {
  const event = JSON.parse(body.toString())
  response.writeHead(typeof event.id === 'string' ? 202 : 400).end('accepted')
})
