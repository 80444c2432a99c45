import { PrismaPg } from '@prisma/adapter-pg'
import { drizzle as drizzleOverPg } from 'drizzle-orm/node-postgres'
import { integer, pgTable } from 'drizzle-orm/pg-core'
import { drizzle as drizzleOverPostgresJs } from 'drizzle-orm/postgres-js'
import knex, { type Knex } from 'knex'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Pool } from 'pg'
import postgres, { type TransactionSql } from 'postgres'
import { DataSource, type EntityManager } from 'typeorm'
import { describe, expectTypeOf, test } from 'vitest'
import { createInbox } from '../../src/index.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { drizzleStore } from '../../src/store/postgres/drizzle-store.ts'
import { knexStore } from '../../src/store/postgres/knex-store.ts'
import { kyselyStore } from '../../src/store/postgres/kysely-store.ts'
import { postgresJsStore } from '../../src/store/postgres/postgres-js-store.ts'
import { prismaStore } from '../../src/store/postgres/prisma-store.ts'
import { typeormStore } from '../../src/store/postgres/typeorm-store.ts'
import type { Store } from '../../src/store/store.ts'
import { type Prisma, PrismaClient } from './prisma-client/client.ts'

type TransactionOf<Made> = Made extends Store<infer Tx> ? Tx : never

/** Nothing is opened here: the compiler says whether it is true. */
const url = 'postgres://nobody@127.0.0.1:1/nothing'

describe("a handler's tx", () => {
  test('is a TransactionSql of postgres.js', () => {
    const store = postgresJsStore(postgres(url))

    expectTypeOf<TransactionOf<typeof store>>().toEqualTypeOf<TransactionSql>()
  })

  test('is what the callback of db.transaction gets in Drizzle, with the tables', () => {
    const orders = pgTable('orders', { id: integer() })
    const database = drizzleOverPg(new Pool({ connectionString: url }), { schema: { orders } })
    const store = drizzleStore(database)
    type Given = Parameters<Parameters<typeof database.transaction>[0]>[0]

    expectTypeOf<TransactionOf<typeof store>>().toEqualTypeOf<Given>()
    expectTypeOf<TransactionOf<typeof store>['query']>().toHaveProperty('orders')
  })

  test('is what the callback of db.transaction gets in Drizzle over postgres.js', () => {
    const database = drizzleOverPostgresJs(postgres(url))
    const store = drizzleStore(database)
    type Given = Parameters<Parameters<typeof database.transaction>[0]>[0]

    expectTypeOf<TransactionOf<typeof store>>().toEqualTypeOf<Given>()
  })

  test('is a Transaction of Kysely, with the tables', () => {
    type Tables = { orders: { id: number } }
    const pool = new Pool({ connectionString: url })
    const store = kyselyStore(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }))

    expectTypeOf<TransactionOf<typeof store>>().toEqualTypeOf<Transaction<Tables>>()
  })

  test('is a Knex.Transaction', () => {
    const store = knexStore(knex.default({ client: 'pg', connection: url }))

    expectTypeOf<TransactionOf<typeof store>>().toEqualTypeOf<Knex.Transaction>()
  })

  test('is an EntityManager of TypeORM', () => {
    const store = typeormStore(new DataSource({ type: 'postgres', url }))

    expectTypeOf<TransactionOf<typeof store>>().toEqualTypeOf<EntityManager>()
  })

  test('is a TransactionClient of Prisma, with the models, in the handler too', () => {
    const store = prismaStore(new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) }))
    const inbox = createInbox({ store, sources: { stripe: stripe({ secret: 'whsec_test' }) } })

    expectTypeOf<TransactionOf<typeof store>>().toEqualTypeOf<Prisma.TransactionClient>()
    inbox.on('stripe', '*', async (_, { tx }) => {
      expectTypeOf(tx).toEqualTypeOf<Prisma.TransactionClient>()
    })
  })
})
