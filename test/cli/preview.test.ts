import { describe, expect } from 'vitest'
import { createInbox, type Receipt, type ReplayPreview } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { type CommandLine, type Running, test } from './command-line.ts'

describe('the preview of a replay', () => {
  test('shows what the running receiver would do, without a reason, and changes nothing', async ({ prepared }) => {
    const running = await failingReceiver(prepared)
    const [{ id } = { id: '' }] = await prepared.json<readonly Receipt[]>(['dead'])
    const before = await prepared.json(['receipts', id])

    const text = await prepared.run(['replay', id, '--preview'])
    const previews = await prepared.json<readonly ReplayPreview[]>(['replay', '--source', 'stripe', '--preview'])

    expect(text).toMatchObject({ code: 0, stderr: '' })
    expect(text.stdout).toMatch(/ stripe +charge\.refunded +evt_dead +stripe\/\* +fail +Error: The handler fails for /)
    expect(text.stdout).toContain('1 receipt: 1 handler would fail. Nothing was changed.')
    expect(previews).toMatchObject([{ receiptId: id, eventId: 'evt_dead', handlers: [{ would: 'fail', effects: [] }] }])
    expect(await prepared.json(['receipts', id])).toEqual(before)
    running.kill('SIGTERM')
  })

  test('runs the handlers of "start" itself where no receiver does, and takes no effect', async ({ prepared }) => {
    const running = await failingReceiver(prepared)
    running.kill('SIGTERM')
    await running.ended

    const text = await prepared.run(['replay', '--status', 'failed', '--preview'])
    const dead = await prepared.json<readonly Receipt[]>(['dead'])

    expect(text.stdout).toMatch(/ evt_dead +stripe\/\* +succeed\n/)
    expect(text.stderr).toBe('These are the handlers of "start". For those of your app, preview the replay there.\n')
    expect(dead).toHaveLength(1)
    const { effects } = await resent(prepared)
    expect(effects).toBe(0)
  })

  test('of receipts that only your app has handlers for is refused, with what to do', async ({
    prepared,
    database,
  }) => {
    const { pool, schema, url } = database
    const source = stripe({ secret: 'whsec_0123456789abcdef' })
    const app = createInbox({ store: postgresStore(pool, { schema }), sources: { stripe: source } })
    await app.receive('stripe', source.sign({ id: 'evt_1' }, new Date()))
    const place = ['--database', url, '--schema', schema]

    const { code, stdout, stderr } = await prepared.run(['replay', '--source', 'stripe', '--preview', ...place])

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('Call inbox.replay(filter, { preview: true }) in your app.')
  })

  test('still wants to know of which receipts', async ({ prepared }) => {
    expect(await prepared.run(['replay', '--preview'])).toMatchObject({ code: 2, stdout: '' })
  })
})

/** With one dead letter. */
async function failingReceiver(commandLine: CommandLine): Promise<Running> {
  const running = commandLine.start(['start', '--port', '0', '--no-demo', '--fail', 'charge.refunded'])
  await running.until(/Waiting for webhooks/)
  const sending = commandLine.run(['send', 'stripe', 'charge.refunded', '--id', 'evt_dead'])
  await running.until(/ dead /)
  await sending
  return running
}

/** The event once more, to a receiver that counts its effects. */
async function resent(commandLine: CommandLine): Promise<{ readonly effects: number }> {
  const running = commandLine.start(['start', '--port', '0', '--no-demo'])
  await running.until(/Waiting for webhooks/)
  return commandLine.json(['send', 'stripe', 'charge.refunded', '--id', 'evt_dead'])
}
