import { createHash } from 'node:crypto'
import type { SqlCall, TextRow } from '../sql-client.ts'
import { sqlState } from '../sql-errors.ts'
import { type ByteStream, PgMessages } from './pg-messages.ts'
import type { PgClient } from './pg-types.ts'

/** What became of one statement of a flight. */
export type Landed = { readonly command: string; readonly rows: readonly TextRow[] }

/** A statement of a user, in the form that `pg` has for it: it takes what the server answers, and tells whoever waits. */
export type Rider = {
  readonly text: string
  prepare(wire: object): void
  handleRowDescription(message: object): void
  handleDataRow(message: object): void
  handleCommandComplete(message: object, wire: object): void
  handleReadyForQuery(wire: object): void
  /** Tells whoever waits for it that it failed. */
  callback(error: unknown): void
}

/** What goes out together: calls of ours, and after them statements of users. */
export type Flying = {
  readonly calls: readonly SqlCall[]
  readonly riders?: readonly Rider[]
  readonly parsed: 'kept' | 'anew'
  /** Called as soon as one of the calls fails, before anything that waits behind this flight is sent. */
  readonly onGrounded?: () => void
}

/**
 * Statements that go out in one message and are answered together: a round trip costs more than most of them. If one fails, those after it
 * are not run. Where the server is known to be the same for the whole life of the connection, it keeps each text of ours parsed under a name.
 * Answers for the calls; riders are told themselves.
 */
export function fly(client: PgClient, flying: Flying): Promise<readonly Landed[]> {
  if (!canFly(client)) return oneByOne(client, flying.calls)
  return new Promise((resolve, reject) => {
    void client.query(flightOf(client, flying, { resolve, reject }) as never)
  })
}

/** The part of the wire that `pg` shows to whoever writes queries of their own, as its cursors do. */
type Wire = {
  readonly stream: ByteStream
  readonly parsedStatements?: object
  readonly submittedNamedStatements?: object
}

/** The texts that a connection's server has parsed and kept, with their names, and how often that went wrong. */
type Kept = { readonly names: Map<string, string>; failures: number }

const keptTexts = new WeakMap<PgClient, Kept>()

/** Who waits for a flight. */
type Waiting = {
  readonly resolve: (landed: readonly Landed[]) => void
  readonly reject: (error: unknown) => void
}

/** A query as `pg` runs it: it calls `submit` when its turn has come, and the others as the server answers. */
function flightOf(
  client: PgClient,
  { calls, riders: given = [], parsed, onGrounded }: Flying,
  { resolve, reject }: Waiting,
): object {
  let riders: readonly Rider[] = given
  const landed: Landed[] = []
  let rows: TextRow[] = []
  let ridersLanded = 0
  const kept = parsed === 'kept' ? keptOf(client) : undefined
  const rider = (): Rider | undefined => (landed.length < calls.length ? undefined : riders[ridersLanded])
  const flight = {
    submit(wire: Wire): Error | null {
      const messages = new PgMessages()
      for (const call of calls) write(messages, call, kept)
      if (riders.length > 0) riders = writeRiders(messages, wire, riders)
      messages.sync()
      messages.send(wire.stream)
      return null
    },
    handleRowDescription: (message: object) => rider()?.handleRowDescription(message),
    handleDataRow(message: { readonly fields: TextRow }) {
      const riding = rider()
      if (riding === undefined) rows.push(message.fields)
      else riding.handleDataRow(message)
    },
    handleCommandComplete(message: { readonly text: string }, wire: object) {
      const riding = rider()
      if (riding === undefined) {
        landed.push({ command: commandOf(message.text), rows })
        rows = []
      } else {
        ridersLanded += 1
        riding.handleCommandComplete(message, wire)
      }
    },
    handleEmptyQuery() {
      if (rider() !== undefined) ridersLanded += 1
    },
    handleError(error: unknown, wire: object) {
      if (kept !== undefined)
        forget(kept, isGone(error) ? [...kept.names.keys()] : calls.slice(landed.length).map(textOf))
      for (const arrived of riders.slice(0, ridersLanded)) arrived.handleReadyForQuery(wire)
      flight.callback(error)
    },
    handleReadyForQuery(wire: object) {
      resolve(landed)
      for (const arrived of riders) arrived.handleReadyForQuery(wire)
    },
    // `pg` puts another one in its place when its own time limit is over.
    callback(error: unknown) {
      if (landed.length < calls.length) {
        onGrounded?.()
        reject(error)
      } else resolve(landed)
      const [failed, ...others] = riders.slice(ridersLanded)
      failed?.callback(error)
      for (const other of others) other.callback(notRun(error))
    },
    handlePortalSuspended() {},
    handleCopyData() {},
    handleCopyInResponse: (wire: { sendCopyFail(reason: string): void }) =>
      wire.sendCopyFail('No source stream defined'),
  }
  return flight
}

/**
 * Each as `pg` would send it by itself, but with one sync for all, and a text that is the same as the one before is parsed once.
 * Answers with those that were written: one whose values cannot be is told so at once.
 */
function writeRiders(messages: PgMessages, wire: Wire, riders: readonly Rider[]): readonly Rider[] {
  let parsedText: string | undefined
  let isWritten = false
  const shared = {
    parsedStatements: wire.parsedStatements,
    submittedNamedStatements: wire.submittedNamedStatements,
    bind: (binding: never) => messages.bind(binding),
    describe: (what: never) => messages.describe(what),
    parse(statement: { readonly text: string; readonly types?: unknown }) {
      // Types of parameters, if it is a list; otherwise of what the server answers.
      const isTyped = Array.isArray(statement.types)
      if (statement.text === parsedText && !isTyped) return
      parsedText = isTyped ? undefined : statement.text
      messages.parse(statement)
    },
    execute(portal: object) {
      isWritten = true
      messages.execute(portal)
    },
    close(what: never) {
      parsedText = undefined
      messages.close(what)
    },
    sync() {},
  }
  return riders.filter((rider) => {
    isWritten = false
    rider.prepare(shared)
    return isWritten
  })
}

function notRun(cause: unknown): Error {
  return new Error('Not run, because a statement before it in the same transaction failed.', { cause })
}

function write(messages: PgMessages, { text, values }: SqlCall, kept: Kept | undefined): void {
  let name = kept?.names.get(text)
  if (name === undefined) {
    name = kept === undefined ? '' : nameOf(text, kept.failures)
    messages.parse({ text, name })
    kept?.names.set(text, name)
  }
  messages.bind({ statement: name, values })
  messages.execute({})
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

/** The first word of what the server says was done. */
function commandOf(tag: string): string {
  const end = tag.indexOf(' ')
  return end === -1 ? tag : tag.slice(0, end)
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
export function canFly(client: PgClient): boolean {
  const { connection, pipeline } = client as {
    readonly connection?: { readonly bind?: unknown; readonly stream?: Partial<ByteStream> }
    readonly pipeline?: boolean
  }
  return typeof connection?.bind === 'function' && typeof connection.stream?.write === 'function' && pipeline !== true
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
