import { once } from 'node:events'
import { describe, expect } from 'vitest'
import type { Automation, Step } from '../../src/index.ts'
import { forkProgram } from '../support/compiled.ts'
import { stripeDelivery, test } from '../support/inbox.ts'

const secret = 'whsec_0123456789abcdef0123456789abcdef'

/** Long enough for the others to get as far, as a slow step would take. */
const slow: Step = {
  kind: 'code',
  code: 'const end = Date.now() + 150; while (Date.now() < end);',
  timeoutMilliseconds: 5000,
}
const effect: Step = { kind: 'store', operation: 'increment', namespace: 'effects', key: '{{$.data.object.id}}' }

/** As articles have it: look whether the key is there, end if so, store it, go on. */
const checkThenStore: Automation = {
  on: { source: 'stripe' },
  steps: [
    { kind: 'lookup', namespace: 'seen', key: '{{$.data.object.id}}', as: 'seen' },
    { kind: 'condition', value: '{{seen}}', operator: 'missing' },
    slow,
    {
      kind: 'store',
      operation: 'set',
      namespace: 'seen',
      key: '{{$.data.object.id}}',
      value: true,
      ttlSeconds: 86_400,
    },
    effect,
  ],
}

const dedup: Automation = {
  on: { source: 'stripe' },
  steps: [{ kind: 'dedup', key: '{{$.data.object.id}}' }, slow, effect],
}

describe('twelve events of one order, worked off by three processes at once', () => {
  test('take effect once with a dedup step, and several times with a check and a store', async ({
    makeInbox,
    database,
  }) => {
    const define = { right: dedup, naive: { ...checkThenStore, steps: namespaced(checkThenStore.steps) } }
    const receiver = makeInbox({ automations: { define } })
    const deliveries = Array.from({ length: 12 }, (_, number) =>
      stripeDelivery(`evt_${number}`, 'invoice.paid', { data: { object: { id: 'order_1' } } }),
    )
    await Promise.all(deliveries.map((delivery) => receiver.receive('stripe', delivery)))
    const options = { databaseUrl: database.url, schema: database.schema, secret, automations: { define } }
    const children = await Promise.all(
      Array.from({ length: 3 }, () =>
        forkProgram('test/automation/automation-child.ts', { CHILD_OPTIONS: JSON.stringify(options) }),
      ),
    )
    await Promise.all(children.map((child) => once(child, 'message')))

    const ends = children.map((child) => once(child, 'exit'))
    for (const child of children) child.send('go')
    await Promise.all(ends)

    const count = async (namespace: string): Promise<unknown> =>
      (await receiver.datastore.get(namespace, 'order_1'))?.value
    expect(await count('effects')).toBe(1)
    expect(await count('naive-effects')).toBeGreaterThan(1)
    const runs = (await receiver.automations?.runs({ automation: 'right' })) ?? []
    expect(runs.map(({ outcome }) => outcome).toSorted()).toEqual(['completed', ...Array<string>(11).fill('ended')])
    expect(await receiver.receipts.find({ status: ['processed'] })).toHaveLength(12)
  })
})

function namespaced(steps: readonly Step[]): readonly Step[] {
  return steps.map((step) => (step === effect ? { ...effect, namespace: 'naive-effects' } : step))
}
