import { describe, expect, test } from 'vitest'
import { sampleEvent, sampleProviders, sampleTypes } from './index.ts'

const at = new Date('2026-11-15T12:00:00.000Z')

describe('a sample event', () => {
  test.each(sampleProviders())('of %s exists in at least two types', (provider) => {
    expect(sampleTypes(provider).length).toBeGreaterThanOrEqual(2)
  })

  test('is new each time, unless a seed asks for the same', () => {
    expect(sampleEvent({ provider: 'stripe', at })).not.toEqual(sampleEvent({ provider: 'stripe', at }))
    expect(sampleEvent({ provider: 'stripe', at, seed: 7 })).toEqual(sampleEvent({ provider: 'stripe', at, seed: 7 }))
    expect(sampleEvent({ provider: 'stripe', at, seed: 7 })).not.toEqual(
      sampleEvent({ provider: 'stripe', at, seed: 8 }),
    )
  })

  test('has the id that it is told', () => {
    expect(sampleEvent({ provider: 'stripe', type: 'invoice.paid', id: 'evt_mine', at })).toMatchObject({
      payload: { id: 'evt_mine' },
    })
  })

  test('says what there is when it does not exist', () => {
    expect(() => sampleEvent({ provider: 'stripe', type: 'toString', at })).toThrow(/Known are: invoice\.paid/)
    expect(() => sampleEvent({ provider: 'acme', at })).toThrow(/Known are: discord/)
  })
})
