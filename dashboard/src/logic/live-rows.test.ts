import { describe, expect, test } from 'vitest'
import type { LiveEvent } from '../api/live.ts'
import type { Receipt } from '../api/types.ts'
import { fits, type LiveRows, mostRows, noRows, paused, type Row, resumed, withEvent, withPage } from './live-rows.ts'

const at = '2026-01-02T03:04:05.000Z'

function receipt(id: string, more: Partial<Receipt> = {}): Receipt {
  const shared = { environment: 'production', source: 'stripe', type: 'invoice.paid', bodyHash: '', origin: 'webhook' }
  return {
    ...shared,
    id,
    eventId: `evt_${id}`,
    receivedAt: at,
    status: 'processed',
    attempts: 1,
    deliveries: 1,
    ...more,
  }
}

function delivery(id: string, more: Partial<LiveEvent> = {}): LiveEvent {
  const shared = { kind: 'delivery', at, outcome: 'accepted', source: 'stripe', type: 'invoice.paid' } as const
  return { ...shared, eventId: `evt_${id}`, receiptId: id, status: 202, ...more }
}

function run(id: string, more: Partial<LiveEvent>): LiveEvent {
  return { kind: 'handler', at, source: 'stripe', eventId: `evt_${id}`, receiptId: id, attempt: 1, ...more }
}

function after(events: readonly LiveEvent[], start: LiveRows = noRows): LiveRows {
  return events.reduce((before, event) => withEvent(before, event, {}), start)
}

function seen({ rows }: LiveRows): readonly string[] {
  return rows.map((row) =>
    row.kind === 'receipt' ? `${row.receipt.id} ${row.receipt.status} ×${row.receipt.deliveries}` : row.refusal.outcome,
  )
}

describe('the live list', () => {
  test('shows an event when it comes, counts its copies and follows its handler', () => {
    const events = [
      delivery('1'),
      delivery('1', { outcome: 'duplicate' }),
      delivery('2'),
      run('1', { outcome: 'retrying', error: 'no' }),
      run('2', { outcome: 'succeeded', endsAs: 'processed' }),
    ]

    expect(seen(after(events))).toEqual(['2 processed ×1', '1 retrying ×2'])
    expect(seen(after([...events, run('1', { outcome: 'dead', endsAs: 'failed' })]))).toContain('1 failed ×2')
  })

  test('takes an event that it knows from the ledger only once', () => {
    const start = withPage(noRows, [receipt('1')])

    expect(seen(after([delivery('1')], start))).toEqual(['1 processed ×1'])
  })

  test('shows what was turned away, and keeps it when the ledger is read again', () => {
    const rows = after([
      delivery('1'),
      { kind: 'delivery', at: '2026-01-02T03:04:06Z', outcome: 'forged', status: 401 },
    ])

    expect(seen(rows)).toEqual(['forged', '1 received ×1'])
    expect(seen(withPage(rows, [receipt('1')]))).toEqual(['forged', '1 processed ×1'])
  })

  test('passes over what is of no interest to a list', () => {
    expect(
      seen(
        after([
          { kind: 'notice', at },
          { kind: 'delivery', at, outcome: 'handshake' },
        ]),
      ),
    ).toEqual([])
  })

  test('is bounded', () => {
    expect(after(Array.from({ length: 500 }, (_, index) => delivery(String(index)))).rows).toHaveLength(mostRows)
  })

  test('waits while it is paused, and then goes on', () => {
    const still = after([delivery('2'), run('1', { endsAs: 'processed' })], paused(after([delivery('1')])))

    expect(seen(still)).toEqual(['1 received ×1'])
    expect(still.held).toHaveLength(2)
    expect(seen(resumed(still, {}))).toEqual(['2 received ×1', '1 processed ×1'])
  })

  test('holds back a bounded number', () => {
    const still = after(
      Array.from({ length: 1_200 }, (_, index) => delivery(String(index))),
      paused(noRows),
    )

    expect([still.held.length, still.forgotten]).toEqual([1_000, 200])
  })
})

describe('a filter', () => {
  const row: Row = { kind: 'receipt', key: '1', receipt: receipt('1'), isNew: true }

  test.each([
    [{}, true],
    [{ source: 'github' }, false],
    [{ type: 'invoice.paid', source: 'stripe' }, true],
    [{ status: ['failed', 'processed'] }, true],
    [{ status: ['failed'] }, false],
    [{ q: 'evt_1' }, true],
    [{ q: 'evt' }, false],
  ])('%j lets a line through: %s', (filter, isThrough) => {
    expect(fits(row, filter)).toBe(isThrough)
  })
})
