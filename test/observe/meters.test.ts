import { describe, expect } from 'vitest'
import type { SecretUse } from '../../src/index.ts'
import { providerWithDeadline, secret, test } from './open-inbox.ts'

describe('the deadline meter', () => {
  test('tells how many answers came late, over days and over restarts', async ({ openInbox, database }) => {
    const { schema, query } = database
    const sources = { hasty: providerWithDeadline(0.000_001), patient: providerWithDeadline(600) }
    const send = async (): Promise<void> => {
      const inbox = openInbox({ sources })
      for (const source of ['hasty', 'patient'] as const) {
        await inbox.receive(source, sources[source].sign({ id: `${Math.random()}`, type: 'ping' }, new Date()))
      }
      await inbox.receive('hasty', { body: 'forged' })
      await inbox.stop()
    }
    await send()
    await query(`update "${schema}".deadlines set day = day - 3`)
    await send()

    const inbox = openInbox({ sources })
    const week = await inbox.meters()
    const today = await inbox.meters({ days: 1 })

    expect(week.deadlines).toEqual([
      {
        source: 'hasty',
        deadlineSeconds: 0.000_001,
        days: 7,
        deliveries: 2,
        pastHalf: 2,
        pastMost: 2,
        pastAll: 2,
        slowestSeconds: expect.any(Number),
        retriesCaused: 2,
      },
      expect.objectContaining({ source: 'patient', deliveries: 2, pastHalf: 0, pastAll: 0, retriesCaused: 0 }),
    ])
    expect(today.deadlines.map(({ deliveries }) => deliveries)).toEqual([1, 1])
  })

  test('counts no retries of a provider that does not send again', async ({ openInbox }) => {
    const once = { ...providerWithDeadline(0.000_001) }
    const stubborn = { ...once, facts: { ...once.facts, isFailureRetried: false } }
    const inbox = openInbox({ sources: { stubborn } })
    await inbox.receive('stubborn', once.sign({ id: 'one', type: 'ping' }, new Date()))

    const { deadlines } = await inbox.meters()

    expect(deadlines).toMatchObject([{ source: 'stubborn', deliveries: 1, pastAll: 1, retriesCaused: 0 }])
  })
})

describe('the rotation meter', () => {
  const [older, old, fresh] = [`${secret} one`, `${secret} two`, `${secret} three`]
  const signedBy = (key: string): ReturnType<ReturnType<typeof providerWithDeadline>['sign']> =>
    providerWithDeadline(600, key).sign({ id: `${Math.random()}`, type: 'ping' }, new Date())

  test('tells which secret verifies, and when the old one has gone quiet', async ({ openInbox, database }) => {
    const { schema, query } = database
    const usesWith = async (secrets: readonly string[], signers: readonly string[]): Promise<readonly SecretUse[]> => {
      const inbox = openInbox({ sources: { shop: providerWithDeadline(600, secrets) } })
      for (const signer of signers) await inbox.receive('shop', signedBy(signer))
      const meters = await inbox.meters()
      return meters.secrets[0]?.secrets ?? []
    }
    const passDays = async (days: number): Promise<void> => {
      const ago = `- make_interval(days => ${days})`
      await query(`update "${schema}".secret_uses set since = since ${ago}, last_seen_at = last_seen_at ${ago}`)
    }

    const atFirst = await usesWith([fresh, old], [old, fresh])
    await passDays(2)
    const afterTwoDays = await usesWith([fresh, old], Array<string>(25).fill(fresh))
    await passDays(2)
    const afterFourDays = await usesWith([fresh, old], [fresh])
    const otherList = await usesWith([old, older], [old])
    const onlyOne = await usesWith([fresh], [fresh])

    const brief = (uses: readonly SecretUse[]): readonly unknown[] =>
      uses.map(({ position, deliveries, othersSince, verdict }) => [position, deliveries, othersSince, verdict])
    expect(brief(atFirst)).toEqual([
      [1, 1, 0, 'in_use'],
      [2, 1, 0, 'in_use'],
    ])
    expect(brief(afterTwoDays)).toEqual([
      [1, 26, 0, 'in_use'],
      [2, 1, 25, 'in_use'],
    ])
    expect(brief(afterFourDays)).toEqual([
      [1, 27, 0, 'in_use'],
      [2, 1, 26, 'quiet'],
    ])
    // What is now second is another secret: nothing that was said of the old one holds for it.
    expect(brief(otherList)).toEqual([
      [1, 1, 0, 'in_use'],
      [2, 0, 1, 'unknown'],
    ])
    expect(brief(onlyOne)).toEqual([[1, 1, 0, 'in_use']])
    expect(atFirst[1]?.lastSeenAt).toBeInstanceOf(Date)
  })

  test('keeps nothing of the secrets, and says nothing of those that are looked up', async ({
    openInbox,
    database,
  }) => {
    const inbox = openInbox({
      sources: { shop: providerWithDeadline(600, [fresh, old]), tenants: providerWithDeadline(600, () => old) },
    })
    await inbox.receive('shop', signedBy(old))
    await inbox.receive('tenants', signedBy(old))

    const { secrets, deadlines } = await inbox.meters()

    expect(secrets.map(({ source }) => source)).toEqual(['shop'])
    expect(deadlines).toMatchObject([{ deliveries: 1 }, { deliveries: 1 }])
    const rows = await database.query(`select * from "${database.schema}".secret_uses`)
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain('secret of these tests')
    expect(rows).toMatchObject([{ mark: expect.stringMatching(/^2-[\da-f]{4}$/) }, {}])
  })
})
