import { describe, expect, test } from 'vitest'
import { viewLine, viewTitles } from './live-view.ts'

const at = new Date(2026, 0, 2, 3, 4, 5, 678)
const plain = (_: string, text: string): string => text
const delivery = { kind: 'delivery', source: 'stripe', status: 202, latencyMilliseconds: 4.21 } as const
const handler = {
  kind: 'handler',
  environment: 'default',
  source: 'stripe',
  eventId: 'evt_1',
  type: 'invoice.paid',
  receiptId: '7',
  handler: '*',
  tookMilliseconds: 3,
} as const

describe('the live view', () => {
  test('has its columns under their titles', () => {
    const event = { ...delivery, outcome: 'accepted', type: 'invoice.paid', eventId: 'evt_1', receiptId: '7' } as const

    const line = viewLine(event, at, plain)

    expect(line).toMatch(/^03:04:05\.678 +stripe +accepted +invoice\.paid +evt_1 +7 +4\.2 ms$/)
    for (const [title, cell] of [
      ['VERDICT', 'accepted'],
      ['EVENT', 'evt_1'],
      ['RECEIPT', '7 '],
      ['TOOK', '4.2'],
    ] as const) {
      expect(line.indexOf(cell, 20)).toBe(viewTitles().indexOf(title))
    }
  })

  test('shows a forgery with its reason and the hint', () => {
    const event = {
      ...delivery,
      outcome: 'forged',
      reason: 'signature_mismatch',
      detail: 'The body was changed.',
    } as const

    expect(viewLine(event, at, plain)).toMatch(/forged .* signature_mismatch: The body was changed\.$/)
  })

  test('calls a first success processed, without a remark', () => {
    expect(viewLine({ ...handler, outcome: 'succeeded', attempt: 1 }, at, plain)).toMatch(/processed .* 3\.0 ms$/)
  })

  test('says when a failed run comes again, and why', () => {
    const event = { ...handler, outcome: 'retrying', attempt: 2, nextAttemptInSeconds: 4, error: 'Error: no' } as const

    expect(viewLine(event, at, plain)).toMatch(/retried .*attempt 2, again in 4\.0 s: Error: no$/)
  })

  test('lets nothing from outside reach the terminal as a command', () => {
    const event = { ...delivery, outcome: 'accepted', type: '\u001b[2J', eventId: 'a\nb' } as const

    expect(viewLine(event, at, plain)).toMatch(/ \\u\{1b\}\[2J +a\\u\{a\}b /)
  })

  test('paints the verdict', () => {
    const line = viewLine({ ...delivery, outcome: 'duplicate' }, at, (colour, text) => `<${colour}>${text}`)

    expect(line).toContain('<magenta>duplicate')
  })
})
