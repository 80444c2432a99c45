import { createHash } from 'node:crypto'
import type { SqlCall, TextRow } from '../sql-client.ts'
import { sqlState } from '../sql-errors.ts'
import type { PgClient } from './pg-types.ts'

/** What became of one statement of a flight. */
export type Landed = { readonly command: string; readonly rows: readonly TextRow[] }

/**
 * Statements that go out in one message and are answered together: a round trip costs more than most of them. If one fails, those after it
 * are not run. Where the server is known to be the same for the whole life of the connection, it keeps each text parsed under a name.
 */
export function fly(client: PgClient, calls: readonly SqlCall[], parsed: 'kept' | 'anew'): Promise<readonly Landed[]> {
  if (!canFly(client)) return oneByOne(client, calls)
  return new Promise((resolve, reject) => {
    void client.query(flightOf(client, { calls, parsed, resolve, reject }) as never)
  })
}

/** The part of the wire that `pg` shows to whoever writes queries of their own, as its cursors do. */
type Wire = {
  readonly stream: { cork?(): void; uncork?(): void }
  parse(statement: { readonly text: string; readonly name: string }): void
  bind(binding: { readonly statement: string; readonly values: readonly unknown[] }): void
  execute(portal: object): void
  sync(): void
}

type Flying = {
  readonly calls: readonly SqlCall[]
  readonly parsed: 'kept' | 'anew'
  readonly resolve: (landed: readonly Landed[]) => void
  readonly reject: (error: unknown) => void
}

/** The texts that a connection's server has parsed and kept, with their names, and how often that went wrong. */
type Kept = { readonly names: Map<string, string>; failures: number }

const keptTexts = new WeakMap<PgClient, Kept>()

/** A query as `pg` runs it: it calls `submit` when its turn has come, and the others as the server answers. */
function flightOf(client: PgClient, { calls, parsed, resolve, reject }: Flying): object {
  const landed: Landed[] = []
  let rows: TextRow[] = []
  const kept = parsed === 'kept' ? keptOf(client) : undefined
  const flight = {
    submit(wire: Wire): Error | null {
      wire.stream.cork?.()
      try {
        for (const call of calls) send(wire, call, kept)
        wire.sync()
      } finally {
        wire.stream.uncork?.()
      }
      return null
    },
    handleDataRow: ({ fields }: { readonly fields: TextRow }) => void rows.push(fields),
    handleCommandComplete({ text }: { readonly text: string }) {
      landed.push({ command: text.split(' ', 1)[0] ?? '', rows })
      rows = []
    },
    handleError(error: unknown) {
      if (kept !== undefined)
        forget(kept, isGone(error) ? [...kept.names.keys()] : calls.slice(landed.length).map(textOf))
      flight.callback(error)
    },
    handleReadyForQuery: () => flight.callback(null),
    // `pg` puts another one in its place when its own time limit is over.
    callback: (error: unknown) => (error === null ? resolve(landed) : reject(error)),
    handleRowDescription() {},
    handleEmptyQuery() {},
    handlePortalSuspended() {},
    handleCopyData() {},
    handleCopyInResponse() {},
  }
  return flight
}

function send(wire: Wire, { text, values = [] }: SqlCall, kept: Kept | undefined): void {
  let name = kept?.names.get(text)
  if (name === undefined) {
    name = kept === undefined ? '' : nameOf(text, kept.failures)
    wire.parse({ text, name })
    kept?.names.set(text, name)
  }
  wire.bind({ statement: name, values })
  wire.execute({})
}

function keptOf(client: PgClient): Kept {
  const known = keptTexts.get(client)
  if (known !== undefined) return known
  const kept = { names: new Map<string, string>(), failures: 0 }
  keptTexts.set(client, kept)
  return kept
}

/** Whether these were parsed is not known, so they are parsed again, under other names. */
function forget(kept: Kept, texts: readonly string[]): void {
  kept.failures += 1
  for (const text of texts) kept.names.delete(text)
}

/** Somebody has discarded what the server kept. */
function isGone(error: unknown): boolean {
  return sqlState(error) === '26000'
}

function textOf({ text }: SqlCall): string {
  return text
}

const digests = new Map<string, string>()

function nameOf(text: string, failures: number): string {
  let digest = digests.get(text)
  if (digest === undefined) {
    digest = createHash('sha256').update(text).digest('hex').slice(0, 24)
    digests.set(text, digest)
  }
  return `oncehook_${digest}_${failures}`
}

/** Not the native client, nor one that answers queries in advance: these take nothing but queries of their own kind. */
function canFly(client: PgClient): boolean {
  const { connection, pipeline } = client as { readonly connection?: Partial<Wire>; readonly pipeline?: boolean }
  return typeof connection?.bind === 'function' && typeof connection.sync === 'function' && pipeline !== true
}

async function oneByOne(client: PgClient, calls: readonly SqlCall[]): Promise<readonly Landed[]> {
  const landed: Landed[] = []
  for (const { text, values = [] } of calls) {
    const { command, rows } = (await client.query(text, [...values])) as {
      readonly command: string
      readonly rows: readonly Record<string, unknown>[]
    }
    landed.push({ command, rows: rows.map(textsOf) })
  }
  return landed
}

/** A row as texts, in the order of its columns, which our own statements choose to be texts. */
function textsOf(row: Record<string, unknown>): TextRow {
  return Object.values(row).map((value) =>
    value === null || value === undefined ? null : String(value as string | number | boolean),
  )
}
