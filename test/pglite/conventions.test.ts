import { Pool } from 'pg'
import { afterAll, describe, inject } from 'vitest'
import { holdDatabase } from '../../src/store/pglite/database-holder.ts'
import { createPgliteClient } from '../../src/store/pglite/pglite-client.ts'
import type { SqlQuery } from '../../src/store/postgres/sql-client.ts'
import { describeConventions } from './describe-conventions.ts'

describe('values in PGlite', () => {
  const client = createPgliteClient(holdDatabase({ kind: 'memory' }))
  afterAll(client.close)
  describeConventions(() => client.query)
})

describe('values in node-postgres', () => {
  const pool = new Pool({ connectionString: inject('databaseUrl'), max: 1 })
  afterAll(() => pool.end())
  const query = async (text: string, values: readonly unknown[] = []) => (await pool.query(text, [...values])).rows
  describeConventions(() => query as SqlQuery)
})
