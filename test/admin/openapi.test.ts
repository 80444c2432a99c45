import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { OpenAPIClientAxios } from 'openapi-client-axios'
import { describe, expect } from 'vitest'
import { stripeDelivery } from '../support/inbox.ts'
import { type OpenAdmin, test, tokens } from './open-admin.ts'

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: unknown
}
type Operation = {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: object }>> }>>
}

/** What a schema of the document says of an answer; refers to the document's own components. */
function mistakesIn(document: Document, schema: object, value: unknown): unknown {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const validate = ajv.compile({ ...schema, components: document.components })
  return validate(value) ? [] : validate.errors
}

describe('the OpenAPI document', () => {
  test('passes a validator, and every answer fits what it says', async ({ makeInbox, openAdmin }) => {
    const inbox = makeInbox({ mode: 'queued', retry: { maxAttempts: 1 } })
    inbox.on('stripe', '*', async (_, { once }) => {
      await once('greeting', async () => 'hello')
      throw new Error('broken')
    })
    const surface = await openAdmin(inbox)
    const delivery = stripeDelivery('evt_1')
    for (const one of [delivery, delivery, stripeDelivery('evt_2')]) await inbox.receive('stripe', one)
    await inbox.receive('stripe', stripeDelivery('evt_3', 'a', undefined, 'whsec_00000000000000000000'))
    await inbox.drain()
    const [receipt] = await inbox.receipts.find()
    await surface.call('POST', '/receipts/hold', { body: { ids: [receipt?.id], why: 'a look' } })
    const document = (await surface.call('GET', '/openapi.json')).body as Document

    expect(
      await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>),
    ).toMatchObject({ valid: true })
    const looked = await lookAround(surface, document, receipt?.id ?? '')
    expect(looked.filter(({ mistakes }) => JSON.stringify(mistakes) !== '[]')).toEqual([])
    expect(looked.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/overview',
        '/receipts/{id}/timeline',
        '/receipts/{id}/body',
        '/sources/{name}',
        '/audit',
      ]),
    )
  })

  test('is enough for a client that is made from it', async ({ makeInbox, openAdmin }) => {
    const { url, call, inbox } = await openAdmin(makeInbox())
    await inbox.receive('stripe', stripeDelivery('evt_1'))
    const definition = (await call('GET', '/openapi.json')).body
    const api = new OpenAPIClientAxios({
      definition,
      withServer: { url: `${url}/api/v1` },
      axiosConfigDefaults: { headers: { authorization: `Bearer ${tokens.operator}` } },
    })
    const client: unknown = await api.init()
    const run = client as Record<'listReceipts' | 'readReceipt' | 'holdReceipts', ClientCall>

    const listed = await run.listReceipts({ source: 'stripe', limit: 10 })
    const [{ id }] = listed.data.items
    const read = await run.readReceipt({ id })
    const held = await run.holdReceipts(null, { ids: [id], why: 'for a look' })

    expect(read.data).toMatchObject({ id, eventId: 'evt_1' })
    expect(held.data).toEqual({ ids: [id] })
    expect((await inbox.receipts.get(id))?.heldAt).toBeInstanceOf(Date)
  })
})

type ClientCall = (...given: unknown[]) => Promise<{ readonly data: ReturnType<typeof JSON.parse> }>

type Looked = { readonly path: string; readonly mistakes: unknown }

/** Reads everything that can be read, and compares what comes with what is promised. */
async function lookAround({ call }: OpenAdmin, document: Document, id: string): Promise<readonly Looked[]> {
  const looked: Looked[] = []
  for (const [path, { get }] of Object.entries(document.paths)) {
    const schema = get?.responses['200']?.content?.['application/json']?.schema
    if (schema === undefined) continue
    const name = path.startsWith('/sources') ? 'stripe' : id
    const answer = await call('GET', path.replaceAll(/\{\w+\}/g, name))
    const isRefused = answer.status >= 400
    const expected = isRefused ? { $ref: '#/components/schemas/Error' } : schema
    looked.push({ path, mistakes: mistakesIn(document, expected, answer.body) })
  }
  return looked
}
