import { beforeAll, describe, expect } from 'vitest'
import { type Provider, permanent } from '../../src/index.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { handler } from '../../src/targets/handler.ts'
import { everySource, type HostileSource } from './hostile-deliveries.ts'
import { secret, test } from './open-inbox.ts'

/** Columns into which a text about what went wrong is written. */
const errorColumns = {
  attempts: ['error'],
  receipts: ['last_error'],
  outbox: ['last_error'],
  deliveries: ['detail'],
  upkeep: ['detail'],
} as const

describe('whatever comes, from every provider', () => {
  let every: readonly HostileSource[]

  beforeAll(async () => {
    every = await everySource()
  })

  test('no secret, signature or payload is logged, told, measured or kept as an error', async ({
    openInbox,
    database,
  }) => {
    const lines: string[] = []
    const log = (fields: object, message: string): void => void lines.push(JSON.stringify({ ...fields, message }))
    const sources: Readonly<Record<string, Provider>> = Object.fromEntries(
      every.map(({ name, provider }) => [name, provider]),
    )
    const inbox = openInbox({
      sources,
      mode: 'inline',
      whenInlineFails: 'queue',
      retry: { firstSeconds: 0, maxAttempts: 2 },
      logger: { info: log, warn: log, error: log },
    })
    inbox.subscribe((event) => lines.push(JSON.stringify(event)))
    const metrics = createMetrics(inbox)
    for (const { name, secretTexts } of every) {
      inbox.on(name, '*', () => {
        throw new Error(`cannot connect with ${secretTexts.join(' or ')}`)
      })
    }

    const outcomes = new Map<string, number>()
    const receiveAll = async ({ name, deliveries }: HostileSource): Promise<void> => {
      for (const delivery of Object.values(deliveries).flat()) {
        const { kind } = await inbox.receive(name, delivery)
        outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1)
      }
    }
    await Promise.all(every.map(receiveAll))
    await inbox.drain()
    lines.push(await metrics.text())
    for (const [table, columns] of Object.entries(errorColumns)) {
      const rows = await database.query(`select ${columns.join(', ')} from "${database.schema}".${table}`)
      lines.push(...rows.map((row) => JSON.stringify(row)))
    }

    // Each kind was met by nearly all of them, and the handler's own words are there.
    expect(outcomes.get('accepted')).toBeGreaterThan(90)
    expect(outcomes.get('duplicate')).toBeGreaterThan(50)
    expect(outcomes.get('forged')).toBeGreaterThan(150)
    expect(outcomes.get('malformed')).toBeGreaterThan(50)
    const text = lines.join('\n')
    expect(text.match(/cannot connect with \[secret\]/g)?.length).toBeGreaterThan(300)
    expect(every.flatMap((source) => shownOf(source, text))).toEqual([])
  })
})

function shownOf({ name, secretTexts, signatureTexts, payloadTexts }: HostileSource, text: string): readonly string[] {
  const json = (secretText: string): readonly string[] => [secretText, JSON.stringify(secretText).slice(1, -1)]
  return [...secretTexts.flatMap(json), ...signatureTexts, ...payloadTexts]
    .filter((forbidden) => text.includes(forbidden))
    .map((forbidden) => `${name}: ${forbidden}`)
}

describe("an error of the user's own", () => {
  test('is kept as it is, but for the secrets of the sources', async ({ openInbox, database }) => {
    const whole = `whsec_${secret.replaceAll(' ', '')}`
    const source = stripe({ secret: whole })
    const mail = handler(() => {
      throw permanent(new Error(`mail server refused ${whole}`))
    })
    const inbox = openInbox({ sources: { stripe: source }, targets: { mail }, mode: 'queued' })
    inbox.on('stripe', 'invoice.paid', (event) => {
      throw permanent(new Error(`${Buffer.from(event.body).toString('utf8').slice(0, 40)} ${whole}`))
    })
    inbox.on('stripe', 'charge.failed', (_, { defer }) => defer({ seconds: 60, reason: `waiting for ${whole}` }))
    inbox.on('stripe', 'mail', async (_, { outbox }) => void (await outbox.add('mail', {})))
    const deliveries = ['invoice.paid', 'charge.failed', 'mail'].map((type) =>
      source.sign({ id: `evt_${type}`, type, body: JSON.stringify({ id: `evt_${type}`, type }) }, new Date()),
    )

    for (const delivery of deliveries) await inbox.receive('stripe', delivery)
    await inbox.drain()
    const previews = await inbox.replay({ status: 'failed' }, { preview: true })

    const { schema, query } = database
    expect(await query(`select last_error from "${schema}".receipts order by event_id`)).toEqual([
      { last_error: 'waiting for [secret]' },
      { last_error: 'Error: {"id":"evt_invoice.paid","type":"invoice [secret]' },
      { last_error: null },
    ])
    expect(await query(`select last_error from "${schema}".outbox`)).toEqual([
      { last_error: 'Error: mail server refused [secret]' },
    ])
    expect(previews[0]?.handlers[0]?.reason).toContain('[secret]')
  })

  test('is without secrets that were looked up, and those that a cut would leave half of', async ({
    openInbox,
    database,
  }) => {
    const found = `secret-of-a-tenant-${'x'.repeat(40)}`
    const source = stripe({ secret: () => found })
    const inbox = openInbox({ sources: { stripe: source }, mode: 'queued', retry: { maxAttempts: 1 } })
    inbox.on('stripe', '*', () => {
      throw new Error(`${'.'.repeat(1960)}${found}`)
    })

    await inbox.receive('stripe', stripe({ secret: found }).sign({ type: 'invoice.paid' }, new Date()))
    await inbox.drain()

    const [receipt] = await database.query<{ last_error: string }>(
      `select last_error from "${database.schema}".receipts`,
    )
    expect(receipt?.last_error).toMatch(/\.\[secret\]$/)
  })
})
