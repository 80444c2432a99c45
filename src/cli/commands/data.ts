import type { Datastore, DatastoreValue } from '../../index.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, jsonOption, storeOptions } from '../common-options.ts'
import { dayAndTime, parseLength } from '../duration.ts'
import { encryptionOf } from '../encryption.ts'
import { type ExitCode, failed, wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import { withLedger } from '../open-ledger.ts'
import { chooseStore } from '../open-store.ts'
import { wholeNumber } from '../parse-arguments.ts'
import { printable, shortened } from '../printable.ts'
import { datastoreThrough } from '../remote-datastore.ts'
import { drawTable } from '../table.ts'

const options = {
  ttl: { type: 'string', value: 'time', meaning: 'with set: gone after that, as in 90s, 15m, 24h, 7d' },
  'if-absent': { type: 'boolean', meaning: 'with set: only if there is no such key' },
  'if-version': { type: 'string', value: 'n', meaning: 'with set and delete: only if the value is of this version' },
  prefix: { type: 'string', value: 'text', meaning: 'with list: only keys that begin with it' },
  after: { type: 'string', value: 'key', meaning: 'with list: where the page before ended' },
  limit: { type: 'string', value: 'n', meaning: 'with list: at most so many; default 50, at most 200' },
  ...storeOptions,
  ...environmentOption,
  ...jsonOption,
} as const

/** Looks at the datastore and changes it. */
export const dataCommand: Command = asCommand({
  name: 'data',
  summary: 'Look at the datastore, and change it',
  forms: [
    'list [namespace] [--prefix <text>]',
    'get <namespace> <key>',
    'set <namespace> <key> <json>',
    'delete <namespace> <key>',
  ],
  options,
  examples: [
    'data list',
    'data list seen --prefix evt_',
    'data get carts c1',
    `data set carts c1 '{"open":true}' --ttl 24h`,
    'data set seen evt_1 true --if-absent',
    'data delete carts c1',
  ],
  run: data,
})

type DataCall = Call<typeof options>

const actions: Readonly<
  Record<string, { readonly words: readonly [number, number]; readonly run: typeof list; readonly takes: string }>
> = {
  list: { words: [0, 1], run: list, takes: 'a namespace, or nothing' },
  get: { words: [2, 2], run: get, takes: 'a namespace and a key' },
  set: { words: [3, 3], run: set, takes: 'a namespace, a key and a value in JSON' },
  delete: { words: [2, 2], run: remove, takes: 'a namespace and a key' },
}

async function data(call: DataCall): Promise<ExitCode> {
  const { values, positionals, environment, directory, program } = call
  const [name = '', ...words] = positionals
  const action = actions[name]
  if (action === undefined) throw wrongUsage(`data takes list, get, set or delete, and no ${JSON.stringify(name)}.`)
  const [least, most] = action.words
  if (words.length < least || words.length > most) throw wrongUsage(`data ${name} takes ${action.takes}.`)
  const home = homeOf(directory)
  const choice = chooseStore(values, environment, home)
  const place = {
    choice,
    home,
    environment: values.environment ?? 'default',
    program,
    encryption: encryptionOf(environment),
  }
  return withLedger(place, (ledger) => action.run(call, words, datastoreThrough(ledger.datastore)))
}

async function list(call: DataCall, [namespace]: readonly string[], datastore: Datastore): Promise<ExitCode> {
  const { values, terminal } = call
  const limit = wholeNumber('limit', values.limit, { atLeast: 1, atMost: 200 }) ?? 50
  const { after, prefix = '' } = values
  if (namespace === undefined) {
    const page = await datastore.namespaces({ after, limit })
    if (values.json === true) terminal.print(JSON.stringify(page))
    else if (page.items.length === 0) terminal.tell('The datastore is empty.')
    else terminal.print(drawTable(namespaceColumns, page.items.map(namespaceCells)))
    tellNext(call, page.next)
    return 0
  }
  const page = await datastore.list(namespace, { prefix, after, limit })
  if (values.json === true) terminal.print(JSON.stringify(page))
  else if (page.items.length === 0) terminal.tell('There is no such key.')
  else terminal.print(drawTable(valueColumns, page.items.map(valueCells)))
  tellNext(call, page.next)
  return 0
}

async function get(call: DataCall, [namespace = '', key = '']: readonly string[], datastore: Datastore) {
  const { values, terminal } = call
  const found = await datastore.get(namespace, key)
  if (found === undefined) throw failed(`There is no value ${JSON.stringify(key)} in ${namespace} here.`)
  // For people and for pipes alike: the value, and nothing else.
  if (values.json === true) terminal.print(JSON.stringify(found))
  else terminal.print(printable(JSON.stringify(found.value)))
  return 0 as const
}

async function set(call: DataCall, words: readonly string[], datastore: Datastore): Promise<ExitCode> {
  const { values } = call
  const [namespace = '', key = '', json = ''] = words
  const value = parsed(json)
  const ttlSeconds = ttlOf(values.ttl)
  const version = versionOf(values['if-version'])
  if (values['if-absent'] === true && version !== undefined) throw wrongUsage('Give --if-absent or --if-version.')
  if (values['if-absent'] === true) {
    const result = await datastore.setIfAbsent(namespace, key, value, { ttlSeconds })
    if (!result.stored)
      throw failed(`There is a value ${JSON.stringify(key)} in ${namespace} already; it was left alone.`)
    return showStored(call, result.current)
  }
  if (version !== undefined) {
    const result = await datastore.compareAndSet(namespace, key, { expected: { version }, value, ttlSeconds })
    if (!result.stored) throw failed(`The value is not of version ${version} any more; it was left alone.`)
    return showStored(call, result.current)
  }
  return showStored(call, await datastore.set(namespace, key, value, { ttlSeconds }))
}

async function remove(call: DataCall, [namespace = '', key = '']: readonly string[], datastore: Datastore) {
  const { values, terminal } = call
  const isDeleted = await datastore.delete(namespace, key, { ifVersion: versionOf(values['if-version']) })
  if (!isDeleted) throw failed(`There is no such value ${JSON.stringify(key)} in ${namespace}; nothing was deleted.`)
  terminal.print(values.json === true ? JSON.stringify({ deleted: true }) : 'Deleted.')
  return 0 as const
}

function showStored({ values, terminal }: DataCall, stored: DatastoreValue): 0 {
  if (values.json === true) terminal.print(JSON.stringify(stored))
  else {
    const until = stored.expiresAt === undefined ? '' : `, until ${dayAndTime(stored.expiresAt)}`
    terminal.print(`Stored as version ${stored.version}${until}.`)
  }
  return 0
}

function tellNext({ values, terminal }: DataCall, next: string | undefined): void {
  if (next !== undefined && values.json !== true) terminal.tell(`There are more: --after ${JSON.stringify(next)}`)
}

const namespaceColumns = [{ title: 'namespace' }, { title: 'keys', align: 'right' }] as const

function namespaceCells({ namespace, keys, hasMoreKeys }: Namespace): readonly string[] {
  return [printable(namespace), hasMoreKeys ? `more than ${keys}` : String(keys)]
}

type Namespace = Awaited<ReturnType<Datastore['namespaces']>>['items'][number]

const valueColumns = [
  { title: 'key' },
  { title: 'value' },
  { title: 'version', align: 'right' },
  { title: 'expires' },
  { title: 'changed' },
] as const

function valueCells({ key, value, version, expiresAt, updatedAt }: DatastoreValue): readonly string[] {
  const expires = expiresAt === undefined ? 'never' : dayAndTime(expiresAt)
  const text = shortened(printable(JSON.stringify(value)), 60)
  return [printable(key), text, String(version), expires, dayAndTime(updatedAt)]
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw wrongUsage(`The value is not JSON. A text needs quotes of its own: '"open"'.`)
  }
}

function ttlOf(text: string | undefined): number | undefined {
  const milliseconds = text === undefined ? undefined : parseLength(text)
  if (text !== undefined && milliseconds === undefined) {
    throw wrongUsage(`--ttl is ${JSON.stringify(text)}: give a length of time as in 90s, 15m, 24h, 7d.`)
  }
  return milliseconds === undefined ? undefined : milliseconds / 1000
}

function versionOf(text: string | undefined): number | undefined {
  return wholeNumber('if-version', text, { atLeast: 0, atMost: Number.MAX_SAFE_INTEGER })
}
