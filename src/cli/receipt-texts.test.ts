import { describe, expect, test } from 'vitest'
import type { Receipt } from '../index.ts'
import type { Paint } from './colour.ts'
import { receiptsTable, receiptText } from './receipt-texts.ts'

const plain: Paint = (_, text) => text
const at = new Date(2026, 0, 2, 3, 4, 5)
const receipt: Receipt = {
  id: '2',
  environment: 'default',
  source: 'github',
  eventId: 'two',
  type: 'push',
  deliveryId: undefined,
  objectId: undefined,
  occurredAt: undefined,
  receivedAt: at,
  status: 'processed',
  attempts: 1,
  processedAt: at,
  nextAttemptAt: undefined,
  lastError: undefined,
  deliveries: 1,
  secretIndex: 0,
  bodyHash: 'abc',
  origin: 'webhook',
  repeatsEventId: undefined,
  heldAt: undefined,
}
const repeated: Receipt = { ...receipt, repeatsEventId: 'o\u001bne' }

describe('a receipt with the body of another event', () => {
  test('says so in the list', () => {
    expect(receiptsTable([repeated], plain)).toMatch(/ two \(body of o\S+ne\) /)
    expect(receiptsTable([receipt], plain)).not.toContain('body of')
  })

  test('says so among its facts and in its timeline', () => {
    const text = receiptText(repeated, { timeline: [{ kind: 'received', at, receipt: repeated }] }, plain)

    expect(text).toMatch(/^Body of event +o\S+ne$/m)
    expect(text).toMatch(/received \(body of o\S+ne\)$/m)
    expect(text).not.toContain('\u001b')
  })
})

describe('a receipt whose body was redacted', () => {
  test('says what is missing', () => {
    const redaction = { paths: ['$.card', '$..email'] }

    expect(receiptText(receipt, { timeline: [], redaction }, plain)).toMatch(/^Not stored +\$\.card, \$\.\.email$/m)
  })

  test('says why nothing of it is there', () => {
    const redaction = { paths: ['$'], withheld: 'It is neither JSON nor a form.' }

    expect(receiptText(receipt, { timeline: [], redaction }, plain)).toMatch(
      /^Not stored +the body\. It is neither JSON/m,
    )
  })
})
