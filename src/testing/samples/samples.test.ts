import { describe, expect, test } from 'vitest'
import { loadSamples, sampleProviders } from './index.ts'

const at = new Date('2026-11-15T12:00:00.000Z')

describe('a sample event', () => {
  test.each(sampleProviders)('of %s exists in at least two types', async (provider) => {
    const { types } = await loadSamples(provider)

    expect(types.length).toBeGreaterThanOrEqual(2)
  })

  test('is new each time, unless a seed asks for the same', async () => {
    const { make } = await loadSamples('stripe')

    expect(make({ at })).not.toEqual(make({ at }))
    expect(make({ at, seed: 7 })).toEqual(make({ at, seed: 7 }))
    expect(make({ at, seed: 7 })).not.toEqual(make({ at, seed: 8 }))
  })

  test('has the id that it is told', async () => {
    const { make } = await loadSamples('stripe')

    expect(make({ type: 'invoice.paid', id: 'evt_mine', at })).toMatchObject({ payload: { id: 'evt_mine' } })
  })

  test('says what there is when it does not exist', async () => {
    const { make } = await loadSamples('stripe')

    expect(() => make({ type: 'toString', at })).toThrow(/Known are: invoice\.paid/)
    await expect(loadSamples('acme')).rejects.toThrow(/Known are: [^]*discord/)
    await expect(loadSamples('constructor')).rejects.toThrow(/Known are:/)
  })
})
