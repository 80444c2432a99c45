import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { borrowTestDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { inChunks, signedRequest, tampered } from './conformance-deliveries.ts'
import type { Place } from './conformance-inbox.ts'
import { describeUnfinished } from './describe-unfinished.ts'
import { sendOverHttp } from './serve-node.ts'
import type { AnswerSeen, RequestToSend } from './served.ts'

/** A real application of a framework: webhooks at `/webhooks/<source>`, and at `/parsed/<source>` behind what reads bodies. */
export type FrameworkApp = { readonly port: number; readonly close: () => Promise<void> }

export type FrameworkAbilities = {
  /** What it is called with: a gateway hands over whole bodies, so that nothing can be refused or broken off while it is read. */
  readonly bodies?: 'streamed' | 'whole'
  /** Where the platform in front takes no more. */
  readonly largestBodyBytes?: number
  /** What the advice for a body that was read already has to name; undefined where nothing can read it first. */
  readonly parsedBodyAdvice?: string | undefined
  /** Whether the framework hands over requests of every method, or answers those without a handler itself. */
  readonly methods?: 'all' | 'routed'
  /** What it does with a connection whose body is not read to its end. */
  readonly whenRefused?: 'answers' | 'cuts_off'
  /** What stands before `/webhooks` and `/parsed`. */
  readonly prefix?: string
  /** Whether the query arrives as it was written. */
  readonly query?: 'as_written' | 'decoded'
  /** Under which address it believes to be called. */
  readonly protocol?: 'http' | 'https'
}

export type FrameworkUnderTest = {
  readonly place: () => Place
  readonly send: (request: RequestToSend) => Promise<AnswerSeen>
  readonly port: () => number
  readonly prefix: string
  readonly rows: <Row>(text: string) => Promise<readonly Row[]>
}

const largeBytes = 25_000_000

/** The same bytes have the same verdict, the same answer and the same rows, whatever the framework. */
export function describeFramework(
  name: string,
  start: (place: Place) => Promise<FrameworkApp>,
  abilities: FrameworkAbilities = {},
): void {
  const { bodies = 'streamed', largestBodyBytes = largeBytes, methods = 'all', protocol = 'http' } = abilities
  const { prefix = '' } = abilities
  const path = abilities.query === 'decoded' ? '/webhooks/called?a=1&b=1' : '/webhooks/called?a=%41&b=1'

  describe(`webhooks through ${name}`, () => {
    let database: Awaited<ReturnType<typeof borrowTestDatabase>>
    let app: FrameworkApp
    const framework: FrameworkUnderTest = {
      place: () => ({ databaseUrl: database.url, schema: database.schema }),
      send: ({ path = '', ...request }) => sendOverHttp(app.port, { ...request, path: `${prefix}${path}` }),
      port: () => app.port,
      prefix,
      rows: (text) => database.query(text.replaceAll('$schema', `"${database.schema}"`)),
    }
    const { send, rows } = framework

    beforeAll(async () => {
      database = await borrowTestDatabase()
      await rows('create table $schema.app_effects (event_id text)')
      await rows('create table $schema.app_complaints (message text)')
      app = await start(framework.place())
    })

    afterAll(async () => {
      await app.close()
      await database.drop()
    })

    const receipts = (source: string) =>
      rows<{ event_id: string; type: string; status: string; hash: string; effects: number }>(
        `select event_id, type, status, encode(body_hash, 'hex') as hash,
           (select count(*)::int from $schema.app_effects e where e.event_id = r.event_id) as effects
         from $schema.receipts r where source = '${source}' order by id`,
      )

    test('have the verdicts, the answers and the rows that they have everywhere', async () => {
      const first = signedRequest('acme', { id: 'one', body: '{"a": 1,\r\n "b": "\u00fc"}\n' })
      const binary = signedRequest('acme', {
        id: 'two',
        body: Buffer.from([0, 0xff, 0xfe, 0xc3, 0x28, 13, 10, 0xed, 0xa0]),
      })
      const queued = signedRequest('queued', { id: 'three', body: '{}' })
      const requests: readonly RequestToSend[] = [
        first,
        first,
        binary,
        queued,
        tampered(signedRequest('acme', { id: 'never', body: '{"a":1}' })),
        signedRequest('acme', { body: '', id: 'empty' }),
        { path: '/webhooks/nobody', body: Buffer.from('{}') },
      ]
      const answers: AnswerSeen[] = []
      for (const request of requests) answers.push(await send(request))

      expect(answers.map(({ status, body }) => [status, withoutNumbers(body)])).toEqual([
        [200, '{"verdict":"processed","receipt":"N"}'],
        [200, '{"verdict":"duplicate","receipt":"N"}'],
        [200, '{"verdict":"processed","receipt":"N"}'],
        [202, '{"verdict":"accepted","receipt":"N"}'],
        [401, '{"verdict":"forged"}'],
        [200, '{"verdict":"processed","receipt":"N"}'],
        [404, '{"verdict":"unknown_source"}'],
      ])
      expect(answers.map(({ headers }) => headers.get('content-type')?.split(';')[0])).toEqual(
        answers.map(() => 'application/json'),
      )
      const type = 'thing.changed'
      expect(await receipts('acme')).toEqual([
        { event_id: 'one', type, status: 'processed', hash: sha256(first.body), effects: 1 },
        { event_id: 'two', type, status: 'processed', hash: sha256(binary.body), effects: 1 },
        { event_id: 'empty', type, status: 'processed', hash: sha256(Buffer.alloc(0)), effects: 1 },
      ])
      expect(await receipts('queued')).toEqual([
        { event_id: 'three', type, status: 'received', hash: sha256(queued.body), effects: 0 },
      ])
      const [stored] = await rows<{ content: Buffer }>(
        `select content from $schema.bodies b join $schema.receipts r on r.body_id = b.id where r.event_id = 'two'`,
      )
      expect([...(stored?.content ?? [])]).toEqual([...binary.body])
    })

    if (methods === 'all') {
      test('with the wrong method are told the right one', async () => {
        const answer = await send({ method: 'PUT', path: '/webhooks/acme', body: Buffer.from('{}') })

        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
      })
    }

    test(`of ${largestBodyBytes / 1_000_000} MB in chunks arrive whole`, async () => {
      const request = signedRequest('acme', { id: 'large', body: Buffer.alloc(largestBodyBytes, 'Oncehook \u00fc') })

      expect((await send(inChunks(request))).status).toBe(200)
      expect((await receipts('acme')).filter(({ event_id }) => event_id === 'large')).toMatchObject([
        { status: 'processed', hash: sha256(request.body), effects: 1 },
      ])
    })

    test('that sign the URL are believed under the address that was called', async () => {
      const url = `${protocol}://127.0.0.1:${app.port}${prefix}${path}`
      const answer = await send(signedRequest('called', { id: 'SM1', url }, path))

      expect(answer).toMatchObject({ status: 200, body: '<Response/>' })
      expect(await receipts('called')).toMatchObject([{ status: 'processed', effects: 1 }])
    })

    test('that sign the URL are believed behind a proxy with publicUrl, and without it the cause is named', async () => {
      const url = (source: string): string => `https://hooks.example.com${prefix}/webhooks/${source}`
      const behind = { host: 'inner.example', 'x-forwarded-host': 'hooks.example.com', 'x-forwarded-proto': 'https' }
      const sendBehind = ({ headers, ...request }: RequestToSend) =>
        send({ ...request, headers: { ...headers, ...behind } })

      const right = await sendBehind(signedRequest('proxied', { id: 'SM2', url: url('proxied') }))
      const wrong = await sendBehind(signedRequest('called', { id: 'SM3', url: url('called') }))

      expect([right.status, wrong.status]).toEqual([200, 401])
      expect(await receipts('proxied')).toMatchObject([{ status: 'processed', effects: 1 }])
      await until(() => rows(`select from $schema.app_complaints where message like '%set publicUrl%'`), isSome)
    })

    const { parsedBodyAdvice } = abilities
    if (parsedBodyAdvice !== undefined) {
      test('whose body was read before are not lost, and the developer is told why', async () => {
        const request = signedRequest('acme', { id: 'parsed', body: '{"a": 1}' }, '/parsed/acme')
        const answer = await send({ ...request, headers: { ...request.headers, 'content-type': 'application/json' } })

        expect(answer).toMatchObject({ status: 500, body: '{"verdict":"error"}' })
        expect((await receipts('acme')).filter(({ event_id }) => event_id === 'parsed')).toEqual([])
        const told = await until(
          () =>
            rows<{ message: string }>(
              `select message from $schema.app_complaints where message like '%read the body%'`,
            ),
          isSome,
        )
        expect(told[0]?.message).toContain(parsedBodyAdvice)
      })
    }

    if (bodies === 'streamed') describeUnfinished(framework, abilities.whenRefused)
  })
}

/** The numbers of receipts differ from run to run. */
function withoutNumbers(body: string): string {
  return body.replace(/"receipt":"\d+"/, '"receipt":"N"')
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function isSome(rows: readonly unknown[]): boolean {
  return rows.length > 0
}
