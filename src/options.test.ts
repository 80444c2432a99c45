import { describe, expect, test } from 'vitest'
import { createInbox } from './inbox.ts'
import { stripe } from './providers/stripe.ts'
import { pgliteStore } from './store/pglite/pglite-store.ts'

const sources = { stripe: stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' }) }

describe('the options of an inbox', () => {
  test('are checked at once, and every mistake is named', () => {
    const wrong = {
      store: undefined as never,
      sources: { 'my source': sources.stripe, stripe: stripe as never },
      environment: '',
      worker: { concurrency: 0 },
      retry: { jitter: 2 },
    }

    expect(() => createInbox(wrong)).toThrow(
      /inbox cannot start:[^]*store is missing[^]*environment[^]*my source[^]*sources\.stripe is not a provider[^]*worker\.concurrency[^]*retry\.jitter/,
    )
  })

  test('must name at least one source', () => {
    expect(() => createInbox({ store: pgliteStore(), sources: {} })).toThrow(/sources is empty/)
  })

  test('must not forget keys before receipts, nor prune at no time', () => {
    const make = (retention: unknown) => () =>
      createInbox({ store: pgliteStore(), sources, retention: retention as never })

    expect(make({ keepEffectDays: 59 })).toThrow(/keepEffectDays is 59: give 'forever', or at least 60/)
    expect(make({ window: { from: '25:00', to: '05:00' }, batchSize: 0, budgetSeconds: 0, keepLogDays: 0 })).toThrow(
      /window\.from[^]*budgetSeconds[^]*batchSize[^]*keepLogDays/,
    )
    expect(make('never')).toThrow(/retention must be 'off'/)
    expect(make('off')).not.toThrow()
    expect(make({ keepEffectDays: 60, window: { from: '01:00', to: '05:00', timeZone: 'Asia/Tokyo' } })).not.toThrow()
  })

  test('let no handler be added for a source that is not there', () => {
    const inbox = createInbox({ store: pgliteStore(), sources })

    expect(() => inbox.on('stripes' as 'stripe', '*', () => undefined)).toThrow(
      /no source of that name; there are: stripe/,
    )
  })
})
