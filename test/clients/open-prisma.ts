import { PrismaPg } from '@prisma/adapter-pg'
import { prismaStore } from '../../src/store/postgres/prisma-store.ts'
import { type OpenClient, openWindow } from './client-under-test.ts'
import { type Prisma, PrismaClient } from './prisma-client/client.ts'

export const open: OpenClient<Prisma.TransactionClient> = async ({ url, schema }) => {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }, { schema }) })
  const window = await openWindow(url)
  return {
    store: prismaStore(prisma, { schema }),
    insert: async (tx, eventId) => await tx.effect.create({ data: { eventId } }),
    insertLater: (tx, eventId) => {
      const query = tx.effect.create({ data: { eventId } })
      return async () => await query
    },
    execute,
    commit: async (tx) => await tx.$executeRaw`commit`,
    query: window.query,
    close: async () => {
      await prisma.$disconnect()
      await window.close()
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
