import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { dirname } from 'node:path'
import type { CaseFile } from '../capture/cases/case-file.ts'
import type { FoundCase } from '../capture/cases/case-folder.ts'
import { type CaseRequestToSend, type CaseResult, type CaseSurroundings, runCase } from '../capture/cases/run-case.ts'
import { exchange } from '../capture/exchange.ts'
import type { CheckedConfig } from '../gateway/check-config.ts'
import { openGateway } from '../gateway/open-gateway.ts'
import type { Inbox, Provider, Store } from '../index.ts'
import type { Call } from './command.ts'
import { encryptionOf } from './encryption.ts'
import { failed, sentenceOf, wrongUsage } from './failure.ts'
import { homeOf } from './home.ts'
import { configHere, storeOf } from './open-captures.ts'
import { openStore, type SqlTransaction } from './open-store.ts'
import { senderFor } from './sources.ts'

type CasesCall = Pick<Call, 'environment' | 'directory'> & {
  readonly values: {
    readonly url?: string | undefined
    readonly database?: string | undefined
    readonly schema?: string | undefined
  }
}

/** Runs cases, one after the other, against an address or against the inbox of the configuration. */
export type CaseRunner = {
  readonly run: (found: FoundCase) => Promise<CaseResult>
  readonly close: () => Promise<void>
}

export async function openCaseRunner(call: CasesCall): Promise<CaseRunner> {
  const config = await configHere(call.directory)
  const { url } = call.values
  if (url === undefined && config === undefined)
    throw wrongUsage('Give --url, or run this where oncehook.config.ts is: its inbox then takes the requests.')
  if (url !== undefined && !URL.canParse(addressFor(url, 'source')))
    throw wrongUsage(`--url is not an address: give http://…, with {source} where the name of the source belongs.`)
  const place = url === undefined ? await openInbox(call, config as Config) : openAddress(call, url, config)
  return {
    async run(found) {
      if (found.kind === 'wrong') return wrongFile(found.file, found.mistakes)
      try {
        return await runCase(found.case, await place.surroundings(found.case))
      } catch (error) {
        return wrongFile(found.case.name, [sentenceOf(error)])
      }
    },
    close: place.close,
  }
}

type Config = NonNullable<Awaited<ReturnType<typeof configHere>>>

type Place = {
  readonly surroundings: (file: CaseFile) => Promise<CaseSurroundings>
  readonly close: () => Promise<void>
}

function wrongFile(name: string, mistakes: readonly string[]): CaseResult {
  return { name, outcome: 'failed', mistakes, answers: [], tookMilliseconds: 0 }
}

const unique = (): string => randomBytes(8).toString('hex')

/** The inbox of the configuration, in this process: no server, and handlers are worked off at once. */
async function openInbox(call: CasesCall, { file, checked }: Config): Promise<Place> {
  const store = checked.config.store ?? openStore(storeOf(call, checked.config))
  const inbox = openGateway(checked, {
    store,
    file,
    directory: dirname(file),
    encryption: encryptionOf(call.environment),
    listener: () => {},
  })
  if (checked.config.migrations !== 'manual') await inbox.migrate()
  return {
    async surroundings({ source }) {
      const provider = source === undefined ? undefined : ownProvider(checked, source)
      if (source === undefined || provider === undefined)
        throw failed(`the configuration has no source ${JSON.stringify(source ?? '')} to send it to`)
      const url = `http://localhost/in/${source}`
      return {
        provider,
        url,
        send: (request) => handOver(inbox, { source, url, request }),
        settle: async () => void (await inbox.drain({ untilMs: 30_000 })),
        ask: asker(store),
        unique: unique(),
      }
    },
    close: () => inbox.close(),
  }
}

async function handOver(
  inbox: Inbox<unknown>,
  { source, url, request }: { readonly source: string; readonly url: string; readonly request: CaseRequestToSend },
): ReturnType<CaseSurroundings['send']> {
  const startedAt = performance.now()
  const { method, headers, content } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const answer = await inbox.handler(source)(
    new Request(url, {
      method,
      headers: headers.map(([name, value]) => [name, value]),
      ...(hasBody && { body: Buffer.from(content) }),
    }),
  )
  const text = await answer.text()
  return {
    status: answer.status,
    headers: [...answer.headers],
    text,
    error: undefined,
    tookMilliseconds: performance.now() - startedAt,
  }
}

const patienceMilliseconds = 30_000

/** Somebody's endpoint, in any language. */
function openAddress(call: CasesCall, template: string, config: Config | undefined): Place {
  const { environment, directory, values } = call
  const isDatabaseGiven = values.database !== undefined || (environment['DATABASE_URL'] ?? '') !== ''
  const store = isDatabaseGiven ? openStore(storeOf(call, config?.checked.config)) : undefined
  return {
    async surroundings({ source, provider: name }) {
      const own = source === undefined || config === undefined ? undefined : ownProvider(config.checked, source)
      const sender = (): Promise<Provider> =>
        senderFor(name ?? '', { secret: undefined, home: homeOf(directory), environment })
      const provider = own ?? (name === undefined ? undefined : await sender())
      const url = new URL(addressFor(template, source ?? ''))
      const addresses = await lookup(url.hostname.replace(/^\[(.*)\]$/, '$1'), { all: true })
      return {
        provider,
        url: url.href,
        send: ({ method, headers, content }) =>
          exchange({ url, addresses, method, headers, content }, AbortSignal.timeout(patienceMilliseconds)),
        settle: async () => {},
        ask: store && asker(store),
        unique: unique(),
      }
    },
    close: async () => store?.close(),
  }
}

function ownProvider({ providers }: CheckedConfig, source: string): Provider | undefined {
  return Object.hasOwn(providers, source) ? providers[source] : undefined
}

function addressFor(template: string, source: string): string {
  return template.replaceAll('{source}', encodeURIComponent(source))
}

/** In a transaction that may only read. */
function asker(store: Store<unknown>): NonNullable<CaseSurroundings['ask']> {
  return (sql, values) =>
    store.transaction((transaction) =>
      transaction.runHandler(
        async (tx) => {
          const { query } = tx as Partial<SqlTransaction>
          if (typeof query !== 'function')
            throw failed('the store of the configuration takes no SQL: give --url and --database')
          const ask = (text: string, given: unknown[] = []) => (tx as SqlTransaction).query(text, given)
          await ask('set transaction read only')
          return (await ask(sql, [...values])).rows as readonly Readonly<Record<string, unknown>>[]
        },
        { handler: 'cases', timeoutSeconds: 30, abort: new AbortController() },
      ),
    )
}
