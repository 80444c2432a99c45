import type { PGliteQueryOptions } from './pglite-types.ts'

const oid = { bytea: 17, int8: 20, byteaArray: 1001, int8Array: 1016 } as const

/**
 * Makes PGlite take and give values as node-postgres does, since the same SQL runs on both: int8 as text, bytea as bytes.
 * The rest is alike: timestamptz as Date, numeric as text, json parsed, null as null, arrays as arrays.
 * PGlite's own bytea goes byte by byte, which is felt with bodies of a megabyte.
 */
export const valueConventions: Required<PGliteQueryOptions> = {
  parsers: {
    [oid.int8]: (text) => text,
    [oid.bytea]: bytesFromText,
    [oid.int8Array]: (text) => parseArray(text, (element) => element),
    [oid.byteaArray]: (text) => parseArray(text, bytesFromText),
  },
  serializers: {
    [oid.bytea]: textFromBytes,
    [oid.byteaArray]: (value) =>
      Array.isArray(value)
        ? `{${value.map((element: unknown) => (element == null ? 'null' : `"\\${textFromBytes(element)}"`)).join(',')}}`
        : String(value),
  },
}

function bytesFromText(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex')
}

function textFromBytes(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value)
  return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
}

/** An array of one dimension whose elements hold neither commas nor quotes, as numbers and bytes do not. */
function parseArray<Element>(text: string, parse: (element: string) => Element): (Element | null)[] {
  if (text === '{}') return []
  return text
    .slice(1, -1)
    .split(',')
    .map((element) => (element === 'NULL' ? null : parse(element.replace(/^"\\?|"$/g, ''))))
}
