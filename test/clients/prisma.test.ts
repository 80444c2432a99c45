import { PrismaPg } from '@prisma/adapter-pg'
import { prismaStore } from '../../src/store/postgres/prisma-store.ts'
import { describeStore } from '../store/describe-store.ts'
import type { StoreUnderTest } from '../store/store-under-test.ts'
import { createTestDatabase } from '../support/database.ts'
import { type Prisma, PrismaClient } from './prisma-client/client.ts'

async function makeStore(): Promise<StoreUnderTest<Prisma.TransactionClient>> {
  const database = await createTestDatabase()
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: database.url }) })
  const store = prismaStore(prisma, { schema: database.schema })
  await store.migrate()
  return {
    store,
    schema: database.schema,
    query: database.query,
    execute: (tx, text) => execute(tx, text),
    dispose: async () => {
      await store.close()
      await prisma.$disconnect()
      await database.drop()
    },
  }
}

type RawError = {
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: string } } }
}

/** Prisma has codes of its own, and keeps the database's further down. */
async function execute(tx: Prisma.TransactionClient, text: string): Promise<unknown> {
  try {
    return await tx.$executeRawUnsafe(text)
  } catch (error) {
    const code = (error as RawError).meta?.driverAdapterError?.cause?.originalCode
    throw code === undefined ? error : Object.assign(new Error('A statement failed.', { cause: error }), { code })
  }
}

describeStore('the store by way of Prisma', makeStore)
