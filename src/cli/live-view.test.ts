import { describe, expect, test } from 'vitest'
import type { InboxEvent } from '../index.ts'
import type { Paint } from './colour.ts'
import { createLiveView } from './live-view.ts'

const at = new Date(2026, 0, 2, 3, 4, 5, 678)
const plain: Paint = (_, text) => text
const lineOf = (event: InboxEvent, paint: Paint = plain): string => createLiveView(paint).line(event, at)
const delivery = {
  kind: 'delivery',
  source: 'stripe',
  correlationId: 'c-1',
  status: 202,
  latencyMilliseconds: 4.21,
} as const
const handler = {
  kind: 'handler',
  correlationId: 'c-1',
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

    const view = createLiveView(plain)
    const titles = view.titles()
    const line = view.line(event, at)

    expect(line).toMatch(/^03:04:05\.678 +stripe +accepted +invoice\.paid +evt_1 +7 +4\.2 ms$/)
    for (const [title, cell] of [
      ['VERDICT', 'accepted'],
      ['EVENT', 'evt_1'],
      ['RECEIPT', '7 '],
      ['TOOK', '4.2'],
    ] as const) {
      expect(line.indexOf(cell, 20)).toBe(titles.indexOf(title))
    }
  })

  test('shows a forgery with its reason and the hint', () => {
    const event = {
      ...delivery,
      outcome: 'forged',
      reason: 'signature_mismatch',
      detail: 'The body was changed.',
    } as const

    expect(lineOf(event)).toMatch(/forged .* signature_mismatch: The body was changed\.$/)
  })

  test('calls a first success processed, without a remark', () => {
    expect(lineOf({ ...handler, outcome: 'succeeded', attempt: 1 })).toMatch(/processed .* 3\.0 ms$/)
  })

  test('says when a failed run comes again, and why', () => {
    const event = { ...handler, outcome: 'retrying', attempt: 2, nextAttemptInSeconds: 4, error: 'Error: no' } as const

    expect(lineOf(event)).toMatch(/retried .*attempt 2, again in 4\.0 s: Error: no$/)
  })

  test('lets nothing from outside reach the terminal as a command', () => {
    const event = { ...delivery, outcome: 'accepted', type: '\u001b[2J', eventId: 'a\nb' } as const

    expect(lineOf(event)).toMatch(/ \\u\{1b\}\[2J +a\\u\{a\}b /)
  })

  test('paints the verdict', () => {
    const line = lineOf({ ...delivery, outcome: 'duplicate' }, (colour, text) => `<${colour}>${text}`)

    expect(line).toContain('<magenta>duplicate')
  })

  test('stays aligned after a long name', () => {
    const view = createLiveView(plain)

    const long = view.line({ ...delivery, source: 'standard-webhooks', outcome: 'accepted' }, at)
    const short = view.line({ ...delivery, outcome: 'accepted' }, at)

    expect(short.indexOf('accepted')).toBe(long.indexOf('accepted'))
  })
})
