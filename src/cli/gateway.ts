import { dirname, join } from 'node:path'
import { createWebhookServer, type Mount } from '../adapters/webhook-server.ts'
import type { Admin } from '../admin/create-admin.ts'
import type { Captures } from '../capture/create-captures.ts'
import type { CheckedConfig } from '../gateway/check-config.ts'
import { type ConfigLoader, createConfigLoader } from '../gateway/load-config.ts'
import { openCaptures } from '../gateway/open-captures.ts'
import { openGateway } from '../gateway/open-gateway.ts'
import type { Door, DurabilityReport, Inbox, InboxListener, Store } from '../index.ts'
import { type AdminChoice, adminMount, chooseAdmin, openAdmin } from './admin-surface.ts'
import { type Control, verbs } from './control-protocol.ts'
import { serveControl } from './control-server.ts'
import { encryptionOf } from './encryption.ts'
import { sentenceOf, wrongUsage } from './failure.ts'
import { type Home, prepareHome } from './home.ts'
import { type Ledger, ledgerOfInbox } from './ledger.ts'
import { listenNear, type PortChoice, urlOf } from './listen.ts'
import { createLiveFeed } from './live-feed.ts'
import { chooseStore, openStore, type StoreChoice } from './open-store.ts'
import { wholeCatalogue } from './provider-catalogue.ts'
import { createReadiness } from './readiness.ts'
import { calledCaptures } from './remote-captures.ts'
import { watchFiles } from './watch-files.ts'

/** What a process does: receive, work off, or both. */
export type Role = 'all' | 'receiver' | 'worker'

export type GatewayOptions = {
  readonly home: Home
  /** Of the configuration. */
  readonly file: string
  /** Where the configuration comes from. Default: from the file. */
  readonly loader?: ConfigLoader
  readonly role: Role
  /** Whether the configuration is read again when it changes. */
  readonly isWatched: boolean
  readonly values: { readonly database?: string | undefined; readonly schema?: string | undefined }
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where to listen, if the configuration says nothing else. */
  readonly where: (config: CheckedConfig['config']) => PortChoice
  readonly listener: InboxListener
}

export type Gateway = {
  readonly url: string
  readonly port: number
  readonly where: PortChoice
  readonly choice: StoreChoice | undefined
  readonly checked: () => CheckedConfig
  readonly durability: DurabilityReport
  /** Whether there is a dashboard, and its address. */
  readonly dashboard: AdminChoice
  readonly dashboardUrl: string | undefined
  /** Its receipts, also after a configuration was taken up. */
  readonly ledger: Ledger
  /** Says that it is not ready, finishes what runs and lets go of everything. */
  readonly stop: () => Promise<void>
}

type Running = {
  readonly checked: CheckedConfig
  readonly store: Store<unknown>
  readonly inbox: Inbox<unknown>
  readonly captures: Captures
}

/** How long requests, handlers and endpoints may take over what runs when the process stops. */
const graceSeconds = 10

/** Starts everything that the configuration describes, or lets go of what was started and rejects. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { home, file, role, environment } = options
  const feed = createLiveFeed(options.listener)
  const listener = feed.emit
  const loader = options.loader ?? createConfigLoader(file)
  const first = await loader.load()
  const choice = first.config.store === undefined ? choiceOf(options, first) : undefined
  if (choice?.kind === 'embedded' && role !== 'all') {
    throw wrongUsage(`--${role} needs PostgreSQL: the embedded store has one owner, which does both.`)
  }
  const ownStore = choice === undefined ? undefined : (openStore(choice) as Store<unknown>)
  const closers: (() => Promise<void> | void)[] = []
  const stop = async (): Promise<void> => {
    for (const close of closers.toReversed()) await close()
  }
  let ingestUrl: string | undefined
  const open = (checked: CheckedConfig): Running => {
    const store = checked.config.store ?? ownStore
    if (store === undefined) throw wrongUsage(`${file} now needs a database of ours: start again.`)
    const parts = { store, encryption: encryptionOf(environment), listener }
    const inbox = openGateway(checked, { ...parts, file, directory: dirname(file) })
    const onError = (error: unknown): void => inbox.door.onError?.(error)
    const onCapture = inbox.automations?.onCapture
    const ofCaptures = {
      ...parts,
      inbox,
      catalogue: wholeCatalogue,
      ownUrl: () => ingestUrl,
      onError,
      onCapture,
      casesFolder: join(dirname(file), 'cases'),
    }
    return { checked, store, inbox, captures: openCaptures(checked, ofCaptures) }
  }
  let running = open(first)
  let admin: Admin | undefined
  closers.push(async () => running.store.close())
  try {
    if (role === 'all') await prepareHome(home)
    await begin(running)
    closers.push(() => running.inbox.stop({ graceSeconds }))

    const readiness = createReadiness(() => running.inbox)
    const where = options.where(first.config)
    const dashboard = adminChoice(first, where.host)
    const mounts = [adminMount(() => admin)]
    const door =
      role === 'worker'
        ? { door: closedDoor }
        : {
            get door() {
              return running.inbox.door
            },
          }
    const captures = {
      get door() {
        return running.captures.door
      },
    }
    const { trustProxy, drainSeconds = 0 } = first.config.server ?? {}
    const { server, address } = await listenNear(
      () =>
        createWebhookServer(door, {
          isReady: readiness.isReady,
          trustProxy,
          captures: role === 'worker' ? undefined : captures,
          mounts: dashboard.kind === 'here' ? mounts : [],
          onError: (error) => running.inbox.door.onError?.(error),
        }),
      where,
    )
    closers.push(() => server.close(graceSeconds))
    closers.push(() => running.captures.close())
    const url = urlOf(where.host, address.port)
    ingestUrl = role === 'worker' ? undefined : url
    renewAdmin(dashboard)
    closers.push(() => admin?.close())
    const apart = dashboard.kind === 'apart' ? await listenApart(dashboard, mounts) : undefined
    const ledger = controlOf(() => running)
    if (role === 'all')
      closers.push(
        await serveControl(ledger, { home, url, store: choice?.kind ?? 'postgres', subscribe: feed.subscribe }),
      )
    if (options.isWatched) closers.push(watch())
    closers.push(async () => {
      readiness.end()
      await new Promise((resolve) => setTimeout(resolve, drainSeconds * 1000))
    })
    const durability = await running.inbox.durability()
    const dashboardUrl = dashboard.kind === 'off' ? undefined : (apart ?? url)
    const checked = (): CheckedConfig => running.checked
    return { url, port: address.port, where, choice, checked, durability, dashboard, dashboardUrl, ledger, stop }
  } catch (error) {
    await stop()
    throw error
  }

  function adminChoice({ config }: CheckedConfig, host: string): AdminChoice {
    return chooseAdmin({ config: config.admin, host, environment, isWhole: role === 'all' })
  }

  /** For the inbox that runs now. */
  function renewAdmin(chosen: AdminChoice): void {
    const { inbox, captures } = running
    const { trustProxy } = first.config.server ?? {}
    const onError = (error: unknown): void => inbox.door.onError?.(error)
    const old = admin
    admin = chosen.kind === 'off' ? undefined : openAdmin(chosen, { inbox, captures, ingestUrl, trustProxy, onError })
    old?.close()
  }

  /** On a port of its own, where no webhooks are taken. */
  async function listenApart(
    { host, port }: { readonly host: string; readonly port: number },
    mounts: readonly Mount[],
  ): Promise<string> {
    const { server, address } = await listenNear(
      () =>
        createWebhookServer({ door: closedDoor }, { mounts, onError: (error) => running.inbox.door.onError?.(error) }),
      { host, port, kind: 'fixed' },
    )
    closers.push(() => server.close(graceSeconds))
    closers.push(() => admin?.close())
    return urlOf(host, address.port)
  }

  async function begin({ inbox, checked, captures }: Running): Promise<void> {
    if (checked.config.migrations !== 'manual') await inbox.migrate()
    if (role !== 'worker') await captures.start()
    if (role !== 'receiver') await inbox.start()
    for (const message of checked.warnings) listener({ kind: 'notice', level: 'warning', message })
  }

  /** The new one is there before the old one goes, so that no delivery finds nobody. */
  async function replace(): Promise<void> {
    const next = open(await loader.load())
    await begin(next)
    const old = running
    running = next
    renewAdmin(adminChoice(next.checked, options.where(first.config).host))
    listener({ kind: 'notice', level: 'info', message: 'The configuration has changed and was taken up.' })
    old.captures.close()
    await old.inbox.stop({ graceSeconds })
    if (old.store !== next.store && old.store !== ownStore) await old.store.close()
  }

  function watch(): () => Promise<void> {
    let last: Promise<void> = Promise.resolve()
    let isClosed = false
    const message = 'The configuration has changed, but cannot be taken up; the one before it still runs.'
    const files = watchFiles(() => {
      last = last.then(async () => {
        if (isClosed) return
        await replace().catch((error: unknown) =>
          listener({
            kind: 'notice',
            level: 'error',
            message,
            error: sentenceOf(error).replaceAll(/\s*\n\s*-? ?/g, ' '),
          }),
        )
      })
    })
    loader.onFile(files.add)
    return async () => {
      isClosed = true
      files.close()
      await last
    }
  }
}

/** A worker takes no deliveries. */
const closedDoor: Door = {
  settingsOf: () => undefined,
  receive: async (source) => ({ kind: 'unknown_source', source }),
  answer: () => ({ status: 404 }),
}

function choiceOf({ values, environment, home }: GatewayOptions, { config }: CheckedConfig): StoreChoice {
  const schema = values.schema ?? config.schema
  const database = values.database ?? config.database
  const isFolder = values.database === undefined && database !== undefined && !/^[a-z]+:\/\//.test(database)
  return isFolder
    ? { kind: 'embedded', folder: database, schema }
    : chooseStore({ database, schema }, environment, home)
}

/** Of whatever runs when a command comes. */
function controlOf(now: () => Running): Control {
  const current = (): Control => {
    const { inbox, store, checked } = now()
    const { environment = 'default' } = checked.config
    return {
      ...ledgerOfInbox(inbox, () => store.inspect({ environment })),
      countEffects: async () => undefined,
      captures: calledCaptures(() => now().captures),
    }
  }
  const called = verbs.map((verb) => {
    const call = (...given: readonly unknown[]): unknown =>
      (current()[verb] as (...given: readonly unknown[]) => unknown)(...given)
    return [verb, call]
  })
  return Object.fromEntries(called) as Control
}
