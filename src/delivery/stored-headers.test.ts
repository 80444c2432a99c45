import { expect, test } from 'vitest'
import { toDeliveryHeaders } from './delivery.ts'
import { storedHeaders } from './stored-headers.ts'

test.each([
  'Authorization',
  'Proxy-Authorization',
  'Cookie',
  'Set-Cookie',
  'Stripe-Signature',
  'X-Hub-Signature-256',
  'webhook-signature',
  'hmacsignature',
  'X-Shopify-Hmac-Sha256',
  'X-Gitlab-Token',
  'X-Telegram-Bot-Api-Secret-Token',
  'X-Hook-Secret',
  'X-Api-Key',
  'apikey',
  'X-Functions-Key',
  'X-Amz-Security-Token',
  'X-Authorization-Digest',
  'X-Airtable-Content-Mac',
  'PayPal-Transmission-Sig',
  'Plaid-Verification',
  'verif-hash',
  'X-Auth',
  'X-Forwarded-Client-Cert',
  'Referer',
  'X-Original-URL',
])('%s is not kept', (name) => {
  expect(storedHeaders(toDeliveryHeaders({ [name]: 'whatever' }))).toEqual([])
})

test.each([
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'x-github-event',
  'x-github-delivery',
  'x-event-key',
  'x-amz-sns-message-id',
  'x-contentful-idempotency-key',
  'i-twilio-idempotency-token',
  'x-design',
  'x-machine',
])('%s is kept', (name) => {
  expect(storedHeaders(toDeliveryHeaders({ [name]: 'whatever' }))).toEqual([[name, 'whatever']])
})

test('what describes the transfer is not kept, since the kept bytes are no longer compressed', () => {
  const headers = toDeliveryHeaders({ 'content-encoding': 'gzip', 'content-length': '3', 'content-type': 'text/plain' })

  expect(storedHeaders(headers)).toEqual([['content-type', 'text/plain']])
})

test('every value of a repeated header is kept, in order', () => {
  const headers = toDeliveryHeaders([
    ['X-Note', 'one'],
    ['Accept', '*/*'],
    ['x-note', 'two'],
  ])

  expect(storedHeaders(headers)).toEqual([
    ['x-note', 'one'],
    ['x-note', 'two'],
    ['accept', '*/*'],
  ])
})

test('no more than a hundred headers are kept', () => {
  const headers = toDeliveryHeaders(Array.from({ length: 500 }, (_, index) => [`x-note-${index}`, 'v'] as const))

  expect(storedHeaders(headers)).toHaveLength(100)
})

test('a value that does not fit is left out whole, and those after it are still kept', () => {
  const headers = toDeliveryHeaders({ 'x-first': 'a', 'x-huge': 'b'.repeat(20_000), 'x-last': 'c' })

  expect(storedHeaders(headers)).toEqual([
    ['x-first', 'a'],
    ['x-last', 'c'],
  ])
})

test('a header with the proof of the provider is not kept, whatever it is called', () => {
  const headers = toDeliveryHeaders({ 'X-Shop': 'the signature', 'x-shop-id': '1' })

  expect(storedHeaders(headers, { proofHeaders: ['x-shop'] })).toEqual([['x-shop-id', '1']])
})
