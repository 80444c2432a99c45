import { expect } from 'vitest'
import { binaryArray } from '../../src/store/postgres/binary-arrays.ts'
import { test } from '../support/database.ts'

test.for([[[]], [['a']], [['', null, 'ä🖖', '"{}\\,']]])(
  'PostgreSQL reads the texts %j as they were',
  async ([texts], { database }) => {
    const [row] = await database.query<{ texts: unknown }>('select $1::text[] as texts', [
      binaryArray('text', texts as readonly (string | null)[]),
    ])

    expect(row?.texts).toEqual(texts)
  },
)

test('PostgreSQL reads bytes as they were', async ({ database }) => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)

  const [row] = await database.query<{ bytes: readonly Buffer[] }>('select $1::bytea[] as bytes', [
    binaryArray('bytea', [all, new Uint8Array()]),
  ])

  expect(row?.bytes.map((buffer) => Uint8Array.from(buffer))).toEqual([all, new Uint8Array()])
})
