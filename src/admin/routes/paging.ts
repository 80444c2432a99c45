import { list, object } from '../compound-schema.ts'
import { nullable, type ObjectSchema, type OptionalSchema, optional, type Schema, text, whole } from '../schema.ts'

/** The parameters of every list. */
export const pageQuery: { readonly cursor: OptionalSchema<string>; readonly limit: OptionalSchema<number> } = {
  cursor: optional(text({ most: 500, description: '`next` of the page before.' })),
  limit: optional(whole({ least: 1, most: 200, description: 'How many. Default 50.' })),
}

const defaultLimit = 50

/** A page of a list, newest first unless its route says otherwise. */
export function pageOf<Item>(
  item: Schema<Item>,
): ObjectSchema<{ readonly items: Schema<readonly Item[]>; readonly next: Schema<string | null> }> {
  return object({
    items: list(item),
    next: nullable(text({ most: 500, description: 'The cursor of the next page; null at the end.' })),
  })
}

type Asked = { readonly cursor?: string | undefined; readonly limit?: number | undefined }

/** Whether a cursor is an id, as most are. */
export function isId(text: string): boolean {
  return /^\d{1,18}$/.test(text)
}

/** Reads one more than asked for, which tells whether there is another page without counting anything. */
export async function readPage<Item>(
  { cursor, limit = defaultLimit }: Asked,
  read: (page: { readonly cursor: string | undefined; readonly limit: number }) => Promise<readonly Item[]>,
  cursorOf: (item: Item) => string,
): Promise<{ readonly items: readonly Item[]; readonly next: string | null }> {
  const found = await read({ cursor, limit: limit + 1 })
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, next: found.length > limit && last !== undefined ? cursorOf(last) : null }
}
