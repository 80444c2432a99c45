import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { describe, expect } from 'vitest'
import type { Logger } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { secret, test } from './open-inbox.ts'

const source = stripe({ secret: `whsec_${secret}` })
const sources = { stripe: source }
const requestId = 'request-0123456789'

type Line = { readonly level: string; readonly message: string } & Readonly<Record<string, unknown>>

function recordingLogger(): { readonly logger: Logger; readonly lines: readonly Line[] } {
  const lines: Line[] = []
  const at =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push({ level, message, ...fields })
  return { logger: { info: at('info'), warn: at('warn'), error: at('error') }, lines }
}

function signed(id: string, headers: Readonly<Record<string, string>> = {}): ReturnType<typeof source.sign> {
  const body = JSON.stringify({ id, type: 'invoice.paid', data: { object: { id: 'in_1' } } })
  return source.sign({ id, type: 'invoice.paid', body, headers }, new Date())
}

describe('the log', () => {
  test('has a line for each delivery, duplicate and handler run, tied together by the request', async ({
    openInbox,
  }) => {
    const { logger, lines } = recordingLogger()
    const inbox = openInbox({ sources, logger, mode: 'queued' })
    inbox.on('stripe', 'invoice.paid', (_, { log, attempt }) => {
      if (attempt === 1) throw new Error('no')
      log.info({ paid: true }, 'my own line')
    })

    await inbox.receive('stripe', signed('evt_1', { 'x-request-id': requestId }))
    await inbox.receive('stripe', signed('evt_1', { 'x-request-id': 'another-request' }))
    await inbox.drain()

    const known = { source: 'stripe', eventId: 'evt_1', type: 'invoice.paid', objectId: 'in_1' }
    const receiptId = lines[0]?.['receiptId']
    const event = { ...known, receiptId, correlationId: requestId }
    const run = {
      ...event,
      handler: 'stripe/invoice.paid',
      environment: 'default',
      tookMilliseconds: expect.any(Number),
    }
    const answer = { latencyMilliseconds: expect.any(Number), secretIndex: 0 }
    expect(receiptId).toMatch(/^\d+$/)
    expect(lines).toEqual([
      { level: 'info', message: 'webhook accepted', ...event, ...answer, outcome: 'accepted', status: 202 },
      {
        level: 'info',
        message: 'webhook duplicate',
        ...event,
        ...answer,
        correlationId: 'another-request',
        outcome: 'duplicate',
        status: 200,
      },
      {
        level: 'warn',
        message: 'handler failed, will be retried',
        ...run,
        attempt: 1,
        outcome: 'retrying',
        error: 'Error: no',
        nextAttemptInSeconds: 0,
      },
      { level: 'info', message: 'my own line', ...event, attempt: 2, paid: true },
      {
        level: 'info',
        message: 'handler succeeded',
        ...run,
        attempt: 2,
        outcome: 'succeeded',
        endsAs: 'processed',
        lagMilliseconds: expect.any(Number),
      },
    ])
  })

  test('has one id for a delivery and its runs where the request has none', async ({ openInbox, database }) => {
    const { logger, lines } = recordingLogger()
    const inbox = openInbox({ sources, logger, mode: 'queued' })
    inbox.on('stripe', 'invoice.paid', () => {})

    await inbox.receive('stripe', signed('evt_1'))
    await inbox.receive('stripe', signed('evt_2'))
    await database.query(`delete from "${database.schema}".bodies`)
    await inbox.drain()

    const idsOf = (eventId: string): readonly unknown[] =>
      lines.filter((line) => line['eventId'] === eventId).map((line) => line['correlationId'])
    expect(idsOf('evt_1')).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), idsOf('evt_1')[0]])
    expect(idsOf('evt_2')).toEqual([idsOf('evt_2')[0], idsOf('evt_2')[0]])
    expect(idsOf('evt_1')[0]).not.toBe(idsOf('evt_2')[0])
  })

  test('has a line for each of several handlers that fail together', async ({ openInbox }) => {
    const { logger, lines } = recordingLogger()
    const inbox = openInbox({ sources, logger, mode: 'queued', retry: { maxAttempts: 1 } })
    inbox
      .on('stripe', 'invoice.paid', () => Promise.reject(new Error('one')), { name: 'first' })
      .on('stripe', 'invoice.paid', () => Promise.reject(new Error('two')), { name: 'second' })

    await inbox.receive('stripe', signed('evt_1'))
    await inbox.drain()

    const runs = lines.filter(({ level }) => level === 'error')
    expect(runs.map((line) => [line['handler'], line['outcome'], line['error'], line['endsAs']])).toEqual([
      ['first', 'dead', 'Error: one', 'failed'],
      ['second', 'dead', 'Error: two', undefined],
    ])
  })

  test('can be a console', async ({ openInbox }) => {
    const written: string[] = []
    const stream = new Writable({
      write(chunk: Buffer, _, done) {
        written.push(chunk.toString())
        done()
      },
    })
    const inbox = openInbox({ sources, logger: new Console(stream) })

    await inbox.receive('stripe', signed('evt_1'))

    expect(written.join('')).toContain("eventId: 'evt_1'")
    expect(written.join('')).toContain('webhook ignored')
  })
})
