// The ceiling: `node:http` that reads the request and answers. Nothing is checked, and nothing is stored.
import { createServer } from 'node:http'
import { readBody, serve } from './serve.mjs'

serve(createServer((request, response) => readBody(request, () => response.writeHead(202).end('accepted'))))
