import { describe } from 'vitest'
import { test } from '../support/database.ts'
import { proveProvider } from './prove-provider.ts'
import { failuresOf } from './run-prover.ts'

/** One of each kind: ids and signatures in headers and bodies, forms, signed addresses, tokens, batches. All: `npm run test:prover`. */
const names = ['github', 'shopify', 'slack', 'twilio', 'telegram', 'adyen', 'sendgrid', 'discord']

const only = [
  'repeated-delivery',
  'new-events',
  'wrong-secret',
  'bad-signature',
  'unsigned',
  'changed-byte',
  'hostile-input',
]

describe.concurrent('the prover accuses nobody who is right', () => {
  test.for(names)('with events of %s', async (name, { database, expect }) => {
    const report = await proveProvider(name, database, { only })

    expect(failuresOf(report)).toEqual({})
    expect(report.scenarios.filter(({ status }) => status === 'passed').length).toBeGreaterThanOrEqual(4)
  })

  test('and says so where events have no id', async ({ database, expect }) => {
    const report = await proveProvider('dropbox', database, { only })

    expect(report.verdict).toBe('could_not_run')
    expect(report.why).toContain('carry no id that stays the same')
  })
})
