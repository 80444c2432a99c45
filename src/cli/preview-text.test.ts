import { describe, expect, test } from 'vitest'
import type { HandlerPreview, ReplayPreview } from '../index.ts'
import type { Paint } from './colour.ts'
import { previewText } from './preview-text.ts'

const plain: Paint = (_, text) => text
const painted: Paint = (colour, text) => `<${colour}>${text}</>`

function preview(...handlers: readonly HandlerPreview[]): ReplayPreview {
  return { receiptId: '42', source: 'stripe', eventId: 'evt_1', type: 'invoice.paid', redacted: [], handlers }
}

function handler(would: HandlerPreview['would'], more: Partial<HandlerPreview> = {}): HandlerPreview {
  return { handler: 'ledger', would, reason: undefined, effects: [], ...more }
}

describe('the preview of a replay', () => {
  test('has a line for each receipt and handler, and one for each further effect', () => {
    const effects = [
      { kind: 'effect', key: 'mail:1', outcome: 'applied' },
      { kind: 'effect', key: 'mail:2', outcome: 'skipped' },
      { kind: 'version', key: 'in_1', version: '7', outcome: 'applied' },
      { kind: 'version', key: 'in_2', version: '3', outcome: 'stale' },
      { kind: 'message', target: 'crm', key: 'k1', outcome: 'added' },
      { kind: 'message', target: 'crm', key: 'k2', outcome: 'known' },
    ] as const

    const text = previewText(
      [preview(handler('succeed', { effects }), handler('fail', { handler: 'mail', reason: 'Error: no table' }))],
      plain,
    )

    expect(text.split('\n')).toEqual([
      'RECEIPT  SOURCE  TYPE          EVENT  HANDLER  WOULD    DETAIL',
      '     42  stripe  invoice.paid  evt_1  ledger   succeed  apply effect mail:1',
      '                                                        skip effect mail:2: it was applied before',
      '                                                        raise in_1 to version 7',
      '                                                        skip version 3 of in_2: a newer one was seen',
      '                                                        add message to crm with key k1',
      '                                                        skip message to crm: one with key k2 was added before',
      '                                      mail     fail     Error: no table',
      '',
      '1 receipt: 1 handler would succeed, 1 would fail. Nothing was changed.',
    ])
  })

  test.each([
    ['defer', 'wait for the customer', '<cyan>defer</>  <cyan>wait for the customer</>'],
    ['end_stale', undefined, '<dim>end stale</>'],
    ['same_change', undefined, '<dim>not run</>'],
    ['fail', 'Error: \u001b[2J', String.raw`<red>fail</>  <red>Error: \u{1b}[2J</>`],
  ] as const)('shows in colour what would %s', (would, reason, line) => {
    expect(previewText([preview(handler(would, { reason }))], painted)).toContain(line)
  })

  test('says so where no handler would run', () => {
    const lines = previewText([preview()], plain).split('\n')

    expect(lines[1]).toMatch(/- +nothing +there is no handler left to run$/)
    expect(lines.at(-1)).toBe('1 receipt. Nothing was changed.')
  })

  test('says what handlers do not see, because it was not stored', () => {
    const redacted = { ...preview(handler('succeed')), redacted: ['$.card', '$..email'] }

    expect(previewText([redacted], plain).split('\n')[1]).toMatch(
      /succeed +not stored, so not seen: \$\.card, \$\.\.email$/,
    )
  })

  test('of nothing is no table', () => {
    expect(previewText([], plain)).toBe('0 receipts. Nothing was changed.')
  })
})
