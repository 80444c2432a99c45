// A handler that is watched and never ends, in a process of its own: a test kills it in the middle.
import { createInbox } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'

const source = stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' })
const inbox = createInbox({
  store: postgresStore(process.env['SHADOW_DATABASE'] ?? '', { schema: process.env['SHADOW_SCHEMA'] ?? '' }),
  sources: { stripe: source },
})
const { headers, body } = source.sign({ id: 'evt_killed', type: 'invoice.paid' }, new Date())
const request = new Request('http://localhost/webhooks/stripe', {
  method: 'POST',
  headers: [...headers].flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  body: Buffer.from(body),
})
setInterval(() => {}, 60_000)
await inbox.shadow.handler('stripe', () => new Promise<Response>(() => {}))(request)
