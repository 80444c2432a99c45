import { describe, expect, test } from 'vitest'
import { filterOf, isReceiptId } from './receipt-filter.ts'

const now = new Date('2026-03-01T12:00:00Z')

describe('the filter of a command', () => {
  test('is everything that was given, and nothing else', () => {
    const filter = filterOf(
      { source: 'stripe', status: 'failed, retrying', object: 'in_1', after: '2h', limit: '7' },
      now,
    )

    expect(filter).toEqual({
      source: 'stripe',
      status: ['failed', 'retrying'],
      objectId: 'in_1',
      receivedAfter: new Date('2026-03-01T10:00:00Z'),
      limit: 7,
    })
    expect(filterOf({}, now)).toEqual({})
  })

  test.each([{ status: 'dead' }, { status: '' }, { after: 'yesterday' }, { limit: '0' }])('refuses %j', (values) => {
    expect(() => filterOf(values, now)).toThrow(/^--(status|after|limit) /)
  })
})

describe('the id of a receipt', () => {
  test('is digits', () => {
    expect(isReceiptId('42')).toBe(true)
    expect(isReceiptId('evt_42')).toBe(false)
  })
})
