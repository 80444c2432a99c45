import { captureMistakes } from '../capture/options.ts'
import { invalidOptions } from '../errors.ts'
import { type ForwardOptions, forward } from '../forward/forward.ts'
import type { Handler, HandlerOptions, InboxOptions, Provider } from '../index.ts'
import { adminMistakes, adminSettings } from './admin-config.ts'
import type { GatewayConfig } from './config.ts'

/** A configuration whose every part was looked at. */
export type CheckedConfig = {
  readonly config: GatewayConfig<unknown>
  /** The part of it that is for `createInbox`. */
  readonly options: Partial<InboxOptions<unknown>>
  readonly providers: Readonly<Record<string, Provider>>
  readonly handlers: readonly ConfiguredHandler[]
  /** What is allowed but unwise. */
  readonly warnings: readonly string[]
}

export type ConfiguredHandler = {
  /** Where it stands in the configuration. */
  readonly path: string
  readonly source: string
  readonly type: string
  readonly run: Handler<unknown>
  readonly options: HandlerOptions
}

const ownSettings = wordsOf('sources destinations database schema store server captures admin')
const inboxSettings = wordsOf(
  'environment mode whenInlineFails targets cache alerts automations retry timeoutSeconds maximumDeferSeconds worker tracing retention ' +
    'logger redact encryption migrations backfill',
)
const sourceSettings = wordsOf('provider forward on')
const handlerSettings = wordsOf(
  'run forward name mode maxAttempts backoff timeoutSeconds order sameChange commit schema',
)
const forwardSettings = wordsOf(
  'to secret headers sign concurrency ratePerSecond timeoutSeconds circuit permanentStatuses allowPrivateAddresses allowInsecure ' +
    'trustedCertificates resolve clock',
)
const serverSettings = wordsOf('port host trustProxy drainSeconds')

/** Looks at everything at once, and names every mistake by the path of the setting. */
export function checkConfig(given: unknown, file: string): CheckedConfig {
  const mistakes: string[] = []
  const warnings: string[] = []
  const destinations = new Map<string, Handler<unknown>>()
  const handlers: ConfiguredHandler[] = []
  const providers: Record<string, Provider> = {}

  if (!isObject(given)) {
    throw invalidOptions(file, ['it has no default export that is an object: export default defineConfig({ … }).'])
  }
  demandKnown('', given, [...ownSettings, ...inboxSettings])
  checkPlainSettings(given)
  for (const [name, options] of entriesOf('destinations', given['destinations'])) {
    const run = forwarder(`destinations.${name}`, options)
    if (run !== undefined) destinations.set(name, run)
  }
  if (!isObject(given['sources']) || Object.keys(given['sources']).length === 0) {
    mistakes.push('sources is missing or empty: give at least one, for example { stripe: { provider, forward } }.')
  }
  for (const [name, source] of entriesOf('sources', given['sources'])) checkSource(name, source)
  if (mistakes.length > 0) throw invalidOptions(file, mistakes)
  const options = Object.fromEntries(Object.entries(given).filter(([name]) => inboxSettings.includes(name)))
  return { config: given as unknown as GatewayConfig<unknown>, options, providers, handlers, warnings }

  function checkPlainSettings({ database, store, schema, server, captures, admin }: Record<string, unknown>): void {
    checkAdmin(admin, isObject(server) ? server['host'] : undefined)
    if (captures !== undefined) mistakes.push(...captureMistakes(captures))
    if (database !== undefined && typeof database !== 'string')
      mistakes.push('database is not a text: give postgres://….')
    if (database !== undefined && store !== undefined)
      mistakes.push('database and store are both given: give one of them.')
    if (schema !== undefined && typeof schema !== 'string') mistakes.push('schema is not a text.')
    if (server === undefined) return
    if (!isObject(server)) return void mistakes.push('server is not an object: give { port, host }.')
    demandKnown('server.', server, serverSettings)
    demandNumber('server.port', server['port'], 65_535, true)
    demandNumber('server.drainSeconds', server['drainSeconds'], 3600, false)
    if (server['host'] !== undefined && typeof server['host'] !== 'string') mistakes.push('server.host is not a text.')
  }

  function checkAdmin(admin: unknown, serverHost: unknown): void {
    if (admin === undefined || admin === false) return
    if (!isObject(admin)) return void mistakes.push('admin is not an object: give { tokens }, or false for none.')
    demandKnown('admin.', admin, adminSettings)
    demandNumber('admin.port', admin['port'], 65_535, true)
    mistakes.push(...adminMistakes(admin, serverHost))
  }

  function checkSource(name: string, source: unknown): void {
    const path = `sources.${name}`
    if (isProvider(source)) {
      providers[name] = source
      warnings.push(`${path} has neither forward nor on: its events are recorded as ignored.`)
      return
    }
    if (!isObject(source))
      return void mistakes.push(`${path} is not a source: give { provider, forward } or { provider, on }.`)
    demandKnown(`${path}.`, source, sourceSettings)
    const { provider, forward: to, on } = source
    if (isProvider(provider)) providers[name] = provider
    else mistakes.push(`${path}.provider is not a provider: call it, as in ${name}({ secret }).`)
    if (to !== undefined)
      addForward(`${path}.forward`, { source: name, type: '*', to, options: { name: `${name}/forward` } })
    for (const [type, handler] of entriesOf(`${path}.on`, on)) checkHandler(name, type, handler)
    if (to === undefined && on === undefined) {
      warnings.push(`${path} has neither forward nor on: its events are recorded as ignored.`)
    }
  }

  function checkHandler(source: string, type: string, handler: unknown): void {
    const path = `sources.${source}.on[${JSON.stringify(type)}]`
    if (typeof handler === 'function') {
      handlers.push({ path, source, type, run: handler as Handler<unknown>, options: {} })
      return
    }
    if (!isObject(handler)) {
      return void mistakes.push(`${path} is not a handler: give a function, { run } or { forward }.`)
    }
    demandKnown(`${path}.`, handler, handlerSettings)
    const { run, forward: to, ...options } = handler
    if ((run === undefined) === (to === undefined)) {
      mistakes.push(`${path} needs either run or forward, and not both.`)
    } else if (to !== undefined) addForward(`${path}.forward`, { source, type, to, options })
    else if (typeof run === 'function') handlers.push({ path, source, type, run: run as Handler<unknown>, options })
    else mistakes.push(`${path}.run is not a function.`)
  }

  function addForward(
    path: string,
    {
      to,
      ...rest
    }: { readonly source: string; readonly type: string; readonly to: unknown; readonly options: HandlerOptions },
  ): void {
    const run = typeof to === 'string' ? named(path, to) : forwarder(path, to)
    if (run !== undefined) handlers.push({ path, run, ...rest })
  }

  function named(path: string, name: string): Handler<unknown> | undefined {
    const run = destinations.get(name)
    if (run !== undefined) return run
    if (isObject(given) && isObject(given['destinations']) && name in given['destinations']) return undefined
    const known = [...destinations.keys()].join(', ') || 'none'
    mistakes.push(`${path} is ${JSON.stringify(name)}, and there is no destination of that name; there are: ${known}.`)
    return undefined
  }

  function forwarder(path: string, options: unknown): Handler<unknown> | undefined {
    if (!isObject(options)) return void mistakes.push(`${path} is not an object: give { to, secret }.`)
    demandKnown(`${path}.`, options, forwardSettings)
    try {
      const run = forward(options as unknown as ForwardOptions)
      if (options['secret'] === undefined) {
        warnings.push(`${path} has no secret: the endpoint cannot tell our requests from anybody's.`)
      }
      return run
    } catch (error) {
      mistakes.push(...mistakesOf(error).map((mistake) => `${path}.${mistake}`))
      return undefined
    }
  }

  function demandKnown(path: string, object: object, known: readonly string[]): void {
    for (const name of Object.keys(object)) {
      if (known.includes(name)) continue
      const near = known.find((other) => isNear(name, other))
      const advice = near === undefined ? `there are: ${known.join(', ')}.` : `is ${near} meant?`
      mistakes.push(`${path}${name} is no setting; ${advice}`)
    }
  }

  function demandNumber(path: string, value: unknown, most: number, isWhole: boolean): void {
    if (value === undefined) return
    const isRight = typeof value === 'number' && value >= 0 && value <= most && (!isWhole || Number.isInteger(value))
    if (!isRight)
      mistakes.push(`${path} is ${JSON.stringify(value)}: give a ${isWhole ? 'whole ' : ''}number from 0 to ${most}.`)
  }

  function entriesOf(path: string, value: unknown): readonly (readonly [string, unknown])[] {
    if (value === undefined) return []
    if (isObject(value)) return Object.entries(value)
    mistakes.push(`${path} is not an object.`)
    return []
  }
}

/** What was wrong, without the beginning of the sentence and the marks of the list. */
export function mistakesOf(error: unknown): readonly string[] {
  const text = error instanceof Error ? error.message : String(error)
  return text
    .replace(/^[^\n]*? cannot start:\s*/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*- /, '').trim())
    .filter((line) => line !== '')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isProvider(value: unknown): value is Provider {
  return isObject(value) && typeof value['verify'] === 'function' && typeof value['identify'] === 'function'
}

function wordsOf(text: string): readonly string[] {
  return text.split(' ')
}

/** One letter too many, too few, other, or in another case. */
function isNear(one: string, other: string): boolean {
  const [short, long] = [one.toLowerCase(), other.toLowerCase()].toSorted((a, b) => a.length - b.length) as [
    string,
    string,
  ]
  if (long.length - short.length > 1) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  const rest = long.length === short.length ? short.slice(start + 1) : short.slice(start)
  return rest === long.slice(start + 1)
}
