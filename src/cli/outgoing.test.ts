import { describe, expect, test } from 'vitest'
import { generateKeys } from '../testing/provider-keys.ts'
import { loadSamples } from '../testing/samples/index.ts'
import { composeEvent } from './outgoing.ts'
import { loadProvider, providerNames } from './provider-catalogue.ts'

const url = 'http://127.0.0.1:4400/in/source'
const at = new Date('2026-03-01T12:00:00Z')
const muchLater = new Date('2026-03-01T18:00:00Z')

describe('an event that is sent again', () => {
  test.each(providerNames)('of %s keeps its ids, and is signed anew', async (name) => {
    const provider = await providerOf(name)
    const { types } = await loadSamples(name)

    for (const type of types) {
      const event = await composeEvent(provider, { source: name, type }, { url, at })
      const [first, again] = [event.deliver(at), event.deliver(muchLater)]

      expect(provider.verify(first, at).kind).toBe('authentic')
      expect(provider.verify(again, muchLater).kind).toBe('authentic')
      // Where nothing tells two events apart, every delivery is a new one.
      const isAlwaysNew = provider.facts.identityAdvice !== undefined
      expect(provider.identify(again)).toMatchObject(event.ids.map((id) => (isAlwaysNew ? {} : { id })))
    }
  })

  test('keeps its bytes', async () => {
    const event = await composeEvent(await providerOf('stripe'), { source: 'stripe' }, { url, at })

    expect(Buffer.from(event.deliver(muchLater).body).equals(event.deliver(at).body)).toBe(true)
  })
})

describe('an event of one’s own', () => {
  test('may have a type that there is no sample of', async () => {
    const event = await composeEvent(
      await providerOf('stripe'),
      { source: 'stripe', type: 'tax.rate.created' },
      { url, at },
    )

    expect(event.type).toBe('tax.rate.created')
  })

  test('has the given id and payload', async () => {
    const wish = { source: 'stripe', type: 'invoice.paid', id: 'evt_1', payload: { data: { object: { id: 'in_7' } } } }

    const event = await composeEvent(await providerOf('stripe'), wish, { url, at })

    expect(event.ids).toEqual(['evt_1'])
    expect(JSON.parse(Buffer.from(event.deliver(at).body).toString())).toMatchObject({
      data: { object: { id: 'in_7' } },
    })
  })

  test('is refused if its provider could not have sent it', async () => {
    const wish = { source: 'stripe', payload: [1, 2, 3] }
    const provider = await providerOf('stripe')

    await expect(composeEvent(provider, wish, { url, at })).rejects.toThrow('would not be understood as one of stripe')
  })
})

async function providerOf(name: string) {
  const make = await loadProvider(name)
  if (make === undefined) throw new Error(`There is no provider ${name}.`)
  return make(generateKeys(name, make, at))
}
