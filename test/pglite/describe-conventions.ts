import { expect, test } from 'vitest'
import type { SqlQuery } from '../../src/store/postgres/sql-client.ts'

/** How values go in and come out: the same for every client, since the same SQL runs on all of them. */
export function describeConventions(query: () => SqlQuery): void {
  const nasty = [
    '',
    'null',
    'NULL',
    '{}',
    '"',
    '\\',
    'a,b',
    'it\'s "quoted" \\ and {braced}',
    ' spaces ',
    'ÄÖ\u{1F600}\n\t',
  ]

  test('an int8 comes back as text, and takes text, number and bigint', async () => {
    const rows = await query()('select $1::int8 as a, $2::int8 as b, $3::int8 as c, array[$1::int8, null] as d', [
      '9007199254740993',
      5,
      7n,
    ])

    expect(rows).toEqual([{ a: '9007199254740993', b: '5', c: '7', d: ['9007199254740993', null] }])
  })

  test('a timestamptz comes back as a Date with its milliseconds', async () => {
    const at = new Date('2024-02-29T23:59:59.987Z')

    const rows = await query()('select $1::timestamptz as at, null::timestamptz as never', [at])

    expect(rows).toEqual([{ at, never: null }])
  })

  test('bytes come back as the same bytes', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)

    const [row] = await query()<{ bytes: Uint8Array; empty: Uint8Array; length: number }>(
      'select $1::bytea as bytes, $2::bytea as empty, length($1::bytea) as length',
      [bytes.subarray(), new Uint8Array()],
    )

    expect(row?.bytes).toBeInstanceOf(Uint8Array)
    expect(Uint8Array.from(row?.bytes ?? [])).toEqual(bytes)
    expect(row).toMatchObject({ length: 256 })
    expect(row?.empty).toHaveLength(0)
  })

  test('a part of a larger buffer is sent as that part only', async () => {
    const rows = await query()("select encode($1::bytea, 'hex') as hex", [Uint8Array.of(1, 2, 3, 4).subarray(1, 3)])

    expect(rows).toEqual([{ hex: '0203' }])
  })

  test('arrays of several types are unnested side by side, with nulls', async () => {
    const uuid = '018f2b3c-0000-7000-8000-000000000001'
    const at = new Date('2024-01-02T03:04:05.678Z')

    const rows = await query()(
      `select t, encode(b, 'hex') as b, at, u::text as u, i, n, o, j
       from unnest($1::text[], $2::bytea[], $3::timestamptz[], $4::uuid[], $5::int8[], $6::int4[], $7::boolean[], $8::jsonb[])
         as given (t, b, at, u, i, n, o, j)`,
      [
        ['x', null],
        [Buffer.from('ff00', 'hex'), null],
        [at, null],
        [uuid, null],
        ['1', null],
        [2, null],
        [true, null],
        ['{"a":[1]}', null],
      ],
    )

    expect(rows).toEqual([
      { t: 'x', b: 'ff00', at, u: uuid, i: '1', n: 2, o: true, j: { a: [1] } },
      { t: null, b: null, at: null, u: null, i: null, n: null, o: null, j: null },
    ])
  })

  test('arrays of bytes come back with nulls and empty ones', async () => {
    const [row] = await query()<{ list: (Uint8Array | null)[]; none: unknown[] }>(
      'select $1::bytea[] as list, $2::bytea[] as none',
      [[Uint8Array.of(0, 34, 92, 255), null, new Uint8Array()], []],
    )

    expect(row?.list.map((bytes) => bytes && [...bytes])).toEqual([[0, 34, 92, 255], null, []])
    expect(row?.none).toEqual([])
  })

  test('text of any kind survives, alone and in arrays', async () => {
    const rows = await query()('select $1::text[] as list, $2::text as one, $3::text[] as none', [nasty, nasty[7], []])

    expect(rows).toEqual([{ list: nasty, one: nasty[7], none: [] }])
  })

  test('undefined and null are null; json is parsed; counts and numerics keep their type', async () => {
    const rows = await query()(
      `select $1::text as a, $2::text as b, $3::jsonb as j, 1.10::numeric as n, count(*) as c, 1.5::float8 as f, true as t`,
      [undefined, null, JSON.stringify({ a: [1, null] })],
    )

    expect(rows).toEqual([{ a: null, b: null, j: { a: [1, null] }, n: '1.10', c: '1', f: 1.5, t: true }])
  })
}
