import type { EmitterWebhookEvent } from '@octokit/webhooks'
import type Stripe from 'stripe'
import { describe, expectTypeOf, test } from 'vitest'
import { createInbox, type Provider, type StandardSchema, type WebhookEvent } from '../../src/index.ts'
import { github } from '../../src/providers/github.ts'
import { shopify } from '../../src/providers/shopify.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { type PgTransaction, postgresStore } from '../../src/store/postgres/postgres-store.ts'

const secret = 'whsec_0123456789abcdef0123456789abcdef'

/** Nothing is opened: the handlers are only there to be compiled. */
const inbox = createInbox({
  store: postgresStore('postgres://localhost/none'),
  sources: { stripe: stripe({ secret }), github: github({ secret }), shopify: shopify({ secret }) },
})

describe('the payload of a Stripe event', () => {
  test('has the type of the event that is named', () => {
    inbox.on('stripe', 'invoice.paid', ({ payload }) => {
      expectTypeOf(payload).toEqualTypeOf<Stripe.InvoicePaidEvent>()
      expectTypeOf(payload.data.object).toEqualTypeOf<Stripe.Invoice>()
    })
  })

  test('is one of several for a list, and can be told apart by its type', () => {
    inbox.on('stripe', ['invoice.paid', 'customer.created'], ({ payload }) => {
      expectTypeOf(payload).toEqualTypeOf<Stripe.InvoicePaidEvent | Stripe.CustomerCreatedEvent>()
      if (payload.type === 'invoice.paid') expectTypeOf(payload.data.object).toEqualTypeOf<Stripe.Invoice>()
    })
  })

  test('is one of those with the same beginning', () => {
    inbox.on('stripe', 'customer.tax_id.*', ({ payload }) => {
      expectTypeOf(payload.type).toEqualTypeOf<
        'customer.tax_id.created' | 'customer.tax_id.deleted' | 'customer.tax_id.updated'
      >()
    })
  })

  test('is any of them for a star', () => {
    inbox.on('stripe', '*', ({ payload }) => {
      expectTypeOf(payload).toEqualTypeOf<Stripe.Event>()
    })
  })

  test('is of any shape where the type is unknown to the package, or to the compiler', () => {
    const types: readonly string[] = ['invoice.paid']

    inbox.on('stripe', 'v1.billing.meter.error_report_triggered', ({ payload }) => expectTypeOf(payload).toBeAny())
    inbox.on('stripe', 'nothing.*', ({ payload }) => expectTypeOf(payload).toBeAny())
    inbox.on('stripe', types, ({ payload }) => expectTypeOf(payload).toBeAny())
  })
})

describe('the payload of a GitHub event', () => {
  test('has the type of the event that is named', () => {
    inbox.on('github', 'push', ({ payload }) => {
      expectTypeOf(payload).toEqualTypeOf<EmitterWebhookEvent<'push'>['payload']>()
      expectTypeOf(payload.ref).toEqualTypeOf<string>()
    })
  })

  test('is told apart by its action', () => {
    inbox.on('github', 'issues', ({ payload }) => {
      if (payload.action === 'transferred') expectTypeOf(payload.changes.new_issue.number).toEqualTypeOf<number>()
    })
  })

  test('is one of several for a list, and has what all have for a star', () => {
    inbox.on('github', ['push', 'star'], ({ payload }) => {
      expectTypeOf(payload).toEqualTypeOf<EmitterWebhookEvent<'push' | 'star'>['payload']>()
    })
    inbox.on('github', '*', ({ payload }) => expectTypeOf(payload).not.toBeAny())
  })
})

describe('the payload of a handler', () => {
  test('is of any shape for a provider without a package of types', () => {
    inbox.on('shopify', 'orders/paid', ({ payload }) => expectTypeOf(payload).toBeAny())
  })

  test('has the type that its schema gives it', () => {
    const schema: StandardSchema<{ readonly total: number }> = {
      '~standard': { version: 1, vendor: 'test', validate: () => ({ value: { total: 1 } }) },
    }

    inbox.on(
      'stripe',
      'invoice.paid',
      ({ payload }) => expectTypeOf(payload).toEqualTypeOf<{ readonly total: number }>(),
      {
        name: 'with a schema',
        schema,
      },
    )
  })

  test('has the type that the handler itself gives it', () => {
    inbox.on('stripe', 'invoice.paid', ({ payload }: WebhookEvent<{ readonly mine: true }>) => payload.mine, {
      name: 'with a type of its own',
    })
  })

  test('comes with the transaction of the store', () => {
    inbox.on('stripe', 'charge.refunded', (_, { tx }) => expectTypeOf(tx).toEqualTypeOf<PgTransaction>())
  })

  test("has the type that a provider of one's own promises", () => {
    const acme = shopify({ secret }) as Provider<{ 'parcel.sent': { readonly parcel: string } }>
    const own = createInbox({ store: postgresStore('postgres://localhost/none'), sources: { acme } })

    own.on('acme', 'parcel.sent', ({ payload }) => expectTypeOf(payload.parcel).toEqualTypeOf<string>())
  })
})

describe('a source that is not there', () => {
  test('does not compile', () => {
    // @ts-expect-error There is no source of that name.
    const add = (): unknown => inbox.on('paddle', '*', () => undefined)

    expectTypeOf(add).toBeFunction()
  })
})
