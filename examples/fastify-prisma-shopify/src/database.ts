import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from '../generated/prisma/client.ts'

export const prisma = new PrismaClient({
  adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL ?? '' }),
})

/** In your app this is "prisma migrate deploy". */
export async function createTables(): Promise<void> {
  await prisma.$executeRaw`create table if not exists orders (id text primary key, status text not null, total decimal not null)`
  await prisma.$executeRaw`
    create table if not exists stock_movements (
      id serial primary key, event_id text not null, order_id text not null, title text not null, quantity int not null
    )`
}
