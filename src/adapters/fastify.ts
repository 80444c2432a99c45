import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HasDoor } from '../delivery/door.ts'
import { createNodeAnswer, type NodeHandlerOptions } from './answer-node-request.ts'

export type { NodeHandlerOptions } from './answer-node-request.ts'

/** The part of a Fastify application that is needed here. */
export type FastifyApplication = {
  all(path: string, options: FastifyRoute, handler: () => never): unknown
}

type FastifyRoute = {
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void
}
type FastifyRequest = { readonly raw: IncomingMessage; readonly ips?: readonly string[] | undefined }
type FastifyReply = { readonly raw: ServerResponse; hijack(): unknown }

/** What `app.register` of Fastify takes. */
export type FastifyPlugin = (application: FastifyApplication, options: unknown, done: () => void) => void

/**
 * A plugin for Fastify: `app.register(fastifyWebhooks(inbox), { prefix: '/webhooks' })`. It takes requests before Fastify parses them, and
 * after the application's own `onRequest` hooks. Without the option `trustProxy`, Fastify's own decides whether to believe the forwarded URL.
 */
export function fastifyWebhooks(inbox: HasDoor, sourceOrOptions: string | NodeHandlerOptions = {}): FastifyPlugin {
  const answer = createNodeAnswer(inbox, sourceOrOptions, advice)
  const route: FastifyRoute = {
    onRequest(request, reply) {
      // What is not passed on is not parsed.
      reply.hijack()
      void answer(request.raw, reply.raw, proxyOf(request))
    },
  }
  return (application, _options, done) => {
    application.all('/', route, neverReached)
    application.all('/*', route, neverReached)
    done()
  }
}

/** Fastify names more than one address only if it trusts the nearest. */
function proxyOf({ ips = [] }: FastifyRequest): 'trusted' | 'untrusted' {
  return ips.length > 1 ? 'trusted' : 'untrusted'
}

function neverReached(): never {
  throw new Error('The request was answered before it came here.')
}

const advice =
  'Something reads the body in an onRequest hook or through app.use(): keep it from the path of fastifyWebhooks. ' +
  'Content-type parsers and preParsing hooks come later and do no harm.'
