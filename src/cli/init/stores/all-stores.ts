import type { StoreName, StoreTemplate } from '../store-template.ts'
import { drizzle } from './drizzle.ts'
import { drizzlePostgresJs } from './drizzle-postgres-js.ts'
import { knex } from './knex.ts'
import { kysely } from './kysely.ts'
import { pg } from './pg.ts'
import { pglite } from './pglite.ts'
import { postgresJs } from './postgres-js.ts'
import { prisma } from './prisma.ts'
import { typeorm } from './typeorm.ts'

/** Every library that a store goes by. */
export const storeTemplates: Readonly<Record<StoreName, StoreTemplate>> = {
  pg,
  'postgres-js': postgresJs,
  drizzle,
  'drizzle-postgres-js': drizzlePostgresJs,
  kysely,
  knex,
  typeorm,
  prisma,
  pglite,
}
