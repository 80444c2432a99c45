import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { providerList } from '../../src/testing/catalogue/provider-list.ts'
import type { ProviderName } from '../../src/testing/catalogue/provider-name.ts'
import { deliveries, type TestAnswer, testInbox } from '../../src/testing/index.ts'

const names = Object.keys(providerList) as ProviderName[]

/** They send nothing that would tell a copy from a new event, as their pages say. */
const withoutIds: readonly ProviderName[] = ['airtable', 'dropbox', 'freshdesk', 'plaid']

/** Its events are account ids, which have no fields. */
const withoutFields: readonly ProviderName[] = ['dropbox']

const inbox = await testInbox({ url: inject('databaseUrl'), sources: providerList })

beforeAll(async () => {
  await inbox.query('create table seen (source text not null, event_id text not null, payload text)')
  for (const source of inbox.sources) {
    inbox.on(source, '*', async (event, { tx }) => {
      const payload = JSON.stringify(event.payload)
      await tx.query('insert into seen values ($1, $2, $3)', [source, event.id, payload])
    })
  }
})

afterAll(() => inbox.close())

function seenOf(name: ProviderName): Promise<readonly { readonly event_id: string; readonly payload: string }[]> {
  return inbox.rows('select event_id, payload from seen where source = $1', [name])
}

function kindsOf({ outcome }: TestAnswer): readonly string[] {
  return outcome?.kind === 'batch' ? outcome.outcomes.map(({ kind }) => kind) : [outcome?.kind ?? 'none']
}

describe.each(names)('a delivery of %s', (name) => {
  test('takes effect once, is a duplicate when it comes again, and is refused when it was tampered with', async () => {
    const delivery = deliveries[name](undefined, { remark: 'here it is' })

    const first = await inbox.deliver(delivery)
    const again = await inbox.deliver(delivery.again())
    const tampered = await inbox.deliver(deliveries[name]().tampered())
    const unsigned = await inbox.deliver(deliveries[name]().withoutSignature())

    const rows = await seenOf(name)
    const isKnownAgain = !withoutIds.includes(name)
    expect(new Set(kindsOf(first))).toEqual(new Set(['processed']))
    expect(new Set(kindsOf(again))).toEqual(new Set([isKnownAgain ? 'duplicate' : 'processed']))
    expect([tampered.kind, unsigned.kind].filter((kind) => kind !== 'forged' && kind !== 'malformed')).toEqual([])
    expect(rows).toHaveLength(kindsOf(first).length * (isKnownAgain ? 1 : 2))
    expect(rows[0]?.payload.includes('"remark":"here it is"')).toBe(!withoutFields.includes(name))
  })
})
