import { describe } from 'vitest'
import { providerNames } from '../../src/cli/provider-catalogue.ts'
import { test } from '../support/database.ts'
import { proveProvider } from './prove-provider.ts'
import { failuresOf } from './run-prover.ts'

/** Their events have no id of their own. */
const nameless = ['airtable', 'dropbox', 'freshdesk', 'plaid']

describe.concurrent('the prover accuses nobody who is right', () => {
  test.for(providerNames)('with events of %s', async (name, { database, expect }) => {
    const report = await proveProvider(name, database, {})

    expect(report.verdict).toBe(nameless.includes(name) ? 'could_not_run' : 'safe')
    if (report.verdict === 'safe') expect(failuresOf(report)).toEqual({})
  })
})
