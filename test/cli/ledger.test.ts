import { describe, expect } from 'vitest'
import type { Receipt, TimelineEntry } from '../../src/index.ts'
import { type CommandLine, type Running, test } from './command-line.ts'

describe('receipts', () => {
  test('are a table for people, newest first', async ({ prepared: commandLine }) => {
    await receiver(commandLine)
    await commandLine.run(['send', 'stripe', 'invoice.paid', '--id', 'evt_first', '--times', '2'])
    await commandLine.run(['send', 'standard-webhooks', 'user.created', '--id', 'second'])

    const { code, stdout } = await commandLine.run(['receipts'])

    const [titles, ...rows] = stdout.trim().split('\n')
    expect(code).toBe(0)
    expect(titles).toMatch(/^RECEIPT +RECEIVED +SOURCE +STATUS +TYPE +EVENT +OBJECT +DELIVERIES +ATTEMPTS$/)
    expect(rows).toHaveLength(2)
    expect(rows[0]).toMatch(/ standard-webhooks +processed +user\.created +second /)
    expect(rows[1]).toMatch(/ stripe +processed +invoice\.paid +evt_first /)
  })

  test('can be filtered', async ({ prepared: commandLine }) => {
    await receiver(commandLine)
    await commandLine.run(['send', 'stripe', 'invoice.paid', '--id', 'evt_1'])
    await commandLine.run(['send', 'stripe', 'charge.refunded', '--id', 'evt_2'])
    await commandLine.run(['send', 'standard-webhooks', 'user.created', '--id', 'msg_1'])
    const found = async (...words: readonly string[]): Promise<readonly string[]> =>
      (await commandLine.json<readonly Receipt[]>(['receipts', ...words])).map(({ eventId }) => eventId)

    expect(await found('--source', 'stripe')).toEqual(['evt_2', 'evt_1'])
    expect(await found('--type', 'user.created')).toEqual(['msg_1'])
    expect(await found('--event', 'evt_1')).toEqual(['evt_1'])
    expect(await found('--limit', '1')).toEqual(['msg_1'])
    expect(await found('--after', '1h', '--status', 'processed')).toHaveLength(3)
    expect(await found('--pending')).toEqual([])
  })

  test('can be looked at one by one, with their whole life and exact body', async ({ prepared: commandLine }) => {
    await receiver(commandLine)
    await commandLine.run(['send', 'stripe', 'invoice.paid', '--id', 'evt_1', '--times', '2'])
    const [{ id } = { id: '' }] = await commandLine.json<readonly Receipt[]>(['receipts'])

    const [text, body, document, status] = await Promise.all([
      commandLine.run(['receipts', id]),
      commandLine.run(['receipts', id, '--body']),
      commandLine.json<{ receipt: Receipt; timeline: readonly TimelineEntry[] }>(['receipts', id]),
      commandLine.json(['status']),
    ])

    expect(text.stdout).toMatch(/Event +evt_1\n/)
    expect(text.stdout).toMatch(/Timeline\n.* received\n/)
    expect(text.stdout).toMatch(/delivered again \(duplicate\), answered 200/)
    expect(text.stdout).toMatch(/attempt 1 succeeded/)
    expect(JSON.parse(body.stdout)).toMatchObject({ id: 'evt_1', data: { object: { object: 'invoice' } } })
    expect(status).toMatchObject({ sources: [{ source: 'stripe', received: 1, duplicates: 1 }] })
    expect(document.timeline.map(({ kind }) => kind).toSorted()).toEqual(['attempt', 'delivery', 'received'])
  })

  test('that are not there are a failure', async ({ prepared: commandLine }) => {
    await receiver(commandLine)

    expect(await commandLine.run(['receipts', '999'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'oncehook: There is no receipt 999 here.\n',
    })
  })
})

describe('a dead letter', () => {
  test('is shown with its error, and a replay cures it once the cause is mended', async ({ prepared: commandLine }) => {
    const first = await receiver(commandLine, '--fail', 'charge.refunded')
    const sending = commandLine.run(['send', 'stripe', 'charge.refunded', '--id', 'evt_dead'])
    await first.until(/ dead /)
    await sending
    const dead = await commandLine.run(['dead'])
    const [{ id } = { id: '' }] = await commandLine.json<readonly Receipt[]>(['dead'])
    first.kill('SIGTERM')
    await first.ended

    const offline = await commandLine.run(['replay', id, '--why', 'the cause is mended', '--by', 'ada'])
    const second = await receiver(commandLine)
    await second.until(/ processed /)

    expect(dead.stdout).toMatch(/evt_dead .* 3 +Error: The handler fails for charge\.refunded on purpose/)
    expect(dead.stdout).toContain(`npx oncehook replay ${id} --why `)
    expect(offline).toMatchObject({ code: 0, stdout: expect.stringMatching(/^1 receipt put back into the queue\./) })
    expect(await commandLine.json(['dead'])).toEqual([])
    const { timeline } = await commandLine.json<{ timeline: readonly TimelineEntry[] }>(['receipts', id])
    expect(timeline).toContainEqual(expect.objectContaining({ kind: 'replay', by: 'ada', why: 'the cause is mended' }))
    const { effects } = await commandLine.json<{ effects: number }>([
      'send',
      'stripe',
      'charge.refunded',
      '--id',
      'evt_dead',
    ])
    expect(effects).toBe(1)
  })
})

describe('a replay', () => {
  test('of one that took effect already needs a yes too', async ({ prepared: commandLine }) => {
    const running = await receiver(commandLine)
    await commandLine.run(['send', 'stripe'])
    await running.until(/ processed /)
    const [{ id } = { id: '' }] = await commandLine.json<readonly Receipt[]>(['receipts'])
    const words = ['replay', id, '--why', 'a test']

    const refused = await commandLine.run(words)

    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('took effect already') })
  })

  test('of several needs a yes where nobody can be asked', async ({ prepared: commandLine }) => {
    const running = await receiver(commandLine)
    await commandLine.run(['send', 'stripe', '--times', '3', '--distinct'])
    await running.until(/( processed [^]*){3}/)
    const words = ['replay', '--status', 'processed', '--source', 'stripe', '--why', 'a test']

    const refused = await commandLine.run(words)
    const done = await commandLine.json<{ replayed: readonly string[] }>([...words, '--yes'])

    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'This would replay 3 receipts, 3 of which took effect already: their handlers would run again. Give --yes',
      ),
    })
    expect(done.replayed).toHaveLength(3)
    await running.until(/( processed [^]*){6}/)
  })

  test('of what is processed has to be asked for', async ({ prepared: commandLine }) => {
    await receiver(commandLine)
    await commandLine.run(['send', 'stripe'])

    expect(await commandLine.json(['replay', '--source', 'stripe', '--why', 'a test'])).toEqual({
      replayed: [],
      passedOver: [],
    })
  })

  test('of a receipt that is not there replays nothing', async ({ prepared: commandLine }) => {
    await receiver(commandLine)

    const { code, stderr } = await commandLine.run(['replay', '999', '--why', 'a test'])

    expect(code).toBe(1)
    expect(stderr).toBe('oncehook: There is no receipt 999 here, so nothing was replayed.\n')
  })
})

async function receiver(commandLine: CommandLine, ...words: readonly string[]): Promise<Running> {
  const running = commandLine.start(['start', '--port', '0', '--no-demo', ...words])
  await running.until(/Waiting for webhooks/)
  return running
}
