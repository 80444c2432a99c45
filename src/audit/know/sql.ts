/** What a statement of SQL does, as far as it matters here. */
export type SqlStatement =
  | {
      readonly kind: 'select' | 'insert' | 'update' | 'delete'
      readonly table: string
      /** Columns with the number of the parameter that goes into them or is compared with them. */
      readonly parameters: readonly SqlParameter[]
      readonly columns: readonly string[]
      /** An insert that does nothing, or something else, where the row is there. */
      readonly hasConflictClause: boolean
      readonly conflictColumns: readonly string[]
    }
  | { readonly kind: 'begin' | 'commit' | 'rollback' | 'lock' }

export type SqlParameter = { readonly column: string | undefined; readonly number: number }

/** Reads a statement by its words. Undefined for what is not SQL, or of no interest. */
export function readSql(given: string): SqlStatement | undefined {
  const text = plain(given)
  const [first = ''] = text.split(/[\s;(]/, 1)
  if (/advisory_(?:xact_)?lock|^lock table|serializable|get_lock\(/.test(text)) return { kind: 'lock' }
  switch (first) {
    case 'begin':
    case 'start':
      return { kind: 'begin' }
    case 'commit':
    case 'end':
      return { kind: 'commit' }
    case 'rollback':
      return / to /.test(text) ? undefined : { kind: 'rollback' }
    case 'insert':
    case 'replace':
      return readInsert(text)
    case 'select':
      return readWhere('select', text, /\bfrom ([\w.$]+)/)
    case 'update':
      return readWhere('update', text, /^update (?:only )?([\w.$]+)/)
    case 'delete':
      return readWhere('delete', text, /^delete from (?:only )?([\w.$]+)/)
    case 'with': {
      // What a chain of expressions does is in its parts; the insert is the one that decides.
      const insert = text.search(/\binsert into /)
      return insert === -1 ? undefined : readInsert(text.slice(insert))
    }
    default:
      return undefined
  }
}

/** Without comments, quotes around names, line breaks and capitals; `?` numbered as PostgreSQL does. */
function plain(text: string): string {
  let marks = 0
  return text
    .replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replaceAll(/["`[\]]/g, '')
    .replaceAll(/(?<=[\s(,=])\?(?=[\s),;]|$)/g, () => `$${++marks}`)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

function readInsert(text: string): SqlStatement | undefined {
  const match = /^(?:insert|replace)(?: or \w+| ignore)? into ([\w.$]+)(?: as \w+)? ?(\([^)]*\))?/.exec(text)
  if (match?.[1] === undefined) return undefined
  const columns = (match[2] ?? '')
    .replaceAll(/[()]/g, '')
    .split(',')
    .map((column) => column.trim())
    .filter(Boolean)
  const values = listAt(text, text.indexOf('values'))
  const parameters = values.flatMap((value, index) => {
    const number = /\$(\d+)/.exec(value)?.[1]
    return number === undefined ? [] : [{ column: columns[index], number: Number(number) }]
  })
  const conflict = /on conflict ?(?:\(([^)]*)\))?/.exec(text)
  return {
    kind: 'insert',
    table: tableName(match[1]),
    parameters,
    columns,
    hasConflictClause: conflict !== null || /^insert (?:or )?ignore|^insert or|^replace|on duplicate key/.test(text),
    conflictColumns: (conflict?.[1] ?? '')
      .split(',')
      .map((column) => column.trim())
      .filter(Boolean),
  }
}

/** The parts of the first list in brackets behind a place. */
function listAt(text: string, from: number): readonly string[] {
  if (from < 0) return []
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const character of text.slice(text.indexOf('(', from))) {
    if (character === '(' && ++depth === 1) continue
    if (character === ')' && --depth === 0) break
    if (character === ',' && depth === 1) {
      parts.push(part)
      part = ''
    } else part += character
  }
  return [...parts, part]
}

function readWhere(kind: 'select' | 'update' | 'delete', text: string, table: RegExp): SqlStatement | undefined {
  const name = table.exec(text)?.[1]
  if (name === undefined) return undefined
  const where = text.includes(' where ') ? text.slice(text.indexOf(' where ')) : ''
  const parameters = [...where.matchAll(/([\w.]+) ?(?:=|in|= any) ?\(?\$(\d+)/g)].map(([, column, number]) => ({
    column: column?.split('.').at(-1),
    number: Number(number),
  }))
  return { kind, table: tableName(name), parameters, columns: [], hasConflictClause: false, conflictColumns: [] }
}

/** Without its schema. */
function tableName(name: string): string {
  return name.split('.').at(-1) ?? name
}
