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

test('PostgreSQL reads ids, times and numbers as they were', async ({ database }) => {
  const id = '01939b3a-7c1f-7abc-8def-0123456789ab'
  const times = [
    '0001-01-01T00:00:00.000Z',
    '1999-12-31T23:59:59.999Z',
    '2026-11-16T12:34:56.789Z',
    '9999-12-31T23:59:59.999Z',
  ]

  const [row] = await database.query(
    `select $1::uuid[]::text as ids, array(select (extract(epoch from time) * 1000)::bigint from unnest($2::timestamptz[]) as time)::text as times,
       $3::smallint[]::text as small, $4::int[]::text as plain, $5::bigint[]::text as big`,
    [
      binaryArray('uuid', [id, null]),
      binaryArray(
        'timestamptz',
        times.map((time) => new Date(time)),
      ),
      binaryArray('int2', [-32_768, 0, 32_767]),
      binaryArray('int4', [-2_147_483_648, null, 2_147_483_647]),
      binaryArray('int8', ['-9223372036854775808', '9223372036854775807']),
    ],
  )

  expect(row).toEqual({
    ids: `{${id},NULL}`,
    times: `{${times.map((time) => Date.parse(time)).join(',')}}`,
    small: '{-32768,0,32767}',
    plain: '{-2147483648,NULL,2147483647}',
    big: '{-9223372036854775808,9223372036854775807}',
  })
})

test('what is no UUID is not sent', () => {
  expect(() => binaryArray('uuid', ['no uuid'])).toThrow('no uuid is not a UUID.')
})
