import { type Chain, lastCall, type Recogniser } from '../run/chain.ts'
import { emit, type Machine } from '../run/machine.ts'
import { has, holds, memberNamed, textOf, unknown, type Value } from '../run/value.ts'
import { connectionOf, fateOf } from './connections.ts'
import { readSql, type SqlStatement } from './sql.ts'
import { closeAll, keepOpen } from './transactions.ts'

type Statement = { readonly sql: SqlStatement; readonly values: readonly (Value | undefined)[] }

/** SQL as text, through whatever sends it: `query`, `execute`, `sql\`…\``, `$queryRaw\`…\``. */
export const statements: Recogniser = (machine, chain) => {
  const statement = statementIn(chain)
  if (statement === undefined) return undefined
  const connection = connectionOf(machine, chain)
  const { sql } = statement
  switch (sql.kind) {
    case 'begin':
      return begin(machine, chain, connection)
    case 'commit':
    case 'rollback':
      return end(machine, chain, connection)
    case 'lock':
      emit(machine, chain.node, { kind: 'lock' })
      return unknown
    default:
      return send(machine, chain, connection, { sql, values: statement.values })
  }
}

function statementIn(chain: Chain): Statement | undefined {
  for (const { values } of chain.links) {
    const [first, second] = values ?? []
    const config = memberNamed(first, 'text', 'sql')
    const given = textOf(first) === undefined ? config : first
    const text = textOf(given)
    const sql = text === undefined ? undefined : readSql(text)
    if (sql === undefined) continue
    const list = config === undefined ? second : memberNamed(first, 'values', 'args')
    // The holes of a template are its parameters; texts that were put in are part of the statement.
    const holes = given?.holes ?? []
    const items = list?.items ?? (values ?? []).slice(1)
    return { sql, values: holes.length > 0 ? holes : items }
  }
  return undefined
}

function begin(machine: Machine, { node }: Chain, connection: Value): Value {
  const transaction = machine.project.nextNumber()
  const label = connection.label ?? `${machine.file}:${node.start}`
  const opener = connection.from ?? connection.label
  if (opener !== undefined) machine.openers.set(transaction, opener)
  emit(machine, node, { kind: 'begin', transaction })
  keepOpen(machine, label, transaction)
  return unknown
}

function end(machine: Machine, { node }: Chain, connection: Value): Value {
  const transaction = connection.label === undefined ? undefined : machine.state?.open.get(connection.label)
  if (transaction === undefined) return unknown
  emit(machine, node, { kind: 'end', transaction })
  closeAll(machine, transaction)
  return unknown
}

type RowStatement = { readonly sql: Extract<SqlStatement, { table: string }>; readonly values: Statement['values'] }

const kinds = { select: 'lookup', insert: 'record', update: 'write', delete: 'erase' } as const

function send(machine: Machine, chain: Chain, connection: Value, { sql, values }: RowStatement): Value {
  const step = emit(machine, lastCall(chain)?.node ?? chain.node, {
    kind: kinds[sql.kind],
    table: sql.table,
    isNameSure: true,
    store: 'database',
    ...fateOf(machine, connection),
    key: keyOf(sql, values),
    isAtomic: sql.hasConflictClause,
    isReceipt: sql.kind === 'insert' && isReceipt(sql.columns, values),
    expires: false,
  })
  return step === undefined ? unknown : { ...unknown, about: new Map([[step.number, 'present']]) }
}

/** What a row is told apart by: the columns of the conflict, or the event's id, or what comes first. */
function keyOf({ parameters, conflictColumns }: RowStatement['sql'], values: Statement['values']): Value | undefined {
  const isKey = ({ column }: { readonly column: string | undefined }): boolean =>
    conflictColumns.length === 0 || (column !== undefined && conflictColumns.includes(column))
  const candidates = parameters.filter(isKey).map(({ number }) => values[number - 1])
  return (
    candidates.find((value) => has(value, 'event-id')) ?? candidates.find((value) => value !== undefined) ?? values[0]
  )
}

const keeps = /^(?:raw_?)?(?:payload|body|data|event|content|message|json|status|state|processed|is_done|attempts?)$/

/** Whether somebody could come back to the row and do the work later. */
export function isReceipt(columns: readonly string[], values: readonly (Value | undefined)[]): boolean {
  return (
    columns.some((column) => keeps.test(column)) ||
    values.some((value) => holds(value, 'event', 'raw-body', 'parsed-body', 'request-body', 'written-again'))
  )
}
