import { dirname, join } from 'node:path'
import { createWebhookServer } from '../adapters/webhook-server.ts'
import type { Admin } from '../admin/create-admin.ts'
import { type Captures, createCaptures } from '../capture/create-captures.ts'
import { createInbox, type DurabilityReport, type Inbox, type InboxListener, type Logger } from '../index.ts'
import { type AdminChoice, adminMount, chooseAdmin, openAdmin } from './admin-surface.ts'
import { serveControl } from './control-server.ts'
import { createDemoEffects, type DemoEffects } from './demo-effects.ts'
import { encryptionOf } from './encryption.ts'
import { createGuide, type GuideFault, guidedProvider, guidedRetries, guidedSource } from './guide.ts'
import { type Home, prepareHome } from './home.ts'
import { ledgerOfInbox } from './ledger.ts'
import { listenNear, type PortChoice, urlOf } from './listen.ts'
import { openStore, type SqlTransaction, type StoreChoice } from './open-store.ts'
import { wholeCatalogue } from './provider-catalogue.ts'
import { calledCaptures } from './remote-captures.ts'
import { prepareSources, type Source } from './sources.ts'

export type ReceiverOptions = {
  readonly home: Home
  readonly choice: StoreChoice
  readonly where: PortChoice
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Handlers fail for events of this type, to show what happens then. */
  readonly failingType: string | undefined
  readonly listener: InboxListener
}

/** A receiver of its own: it takes webhooks of every provider, and its handlers leave countable effects. */
export type Receiver = {
  /** Without a path: sources are at `/in/<source>`. */
  readonly url: string
  readonly port: number
  readonly inbox: Inbox<SqlTransaction>
  readonly captures: Captures
  readonly effects: DemoEffects
  readonly sources: readonly Source[]
  readonly durability: DurabilityReport
  /** Where the dashboard is, or why there is none. */
  readonly dashboard: AdminChoice
  /** Finishes what runs and lets go of everything. */
  readonly stop: () => Promise<void>
}

/** Starts everything, or lets go of what was started and rejects. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { home, choice, where, environment, listener } = options
  await prepareHome(home)
  const dashboard = chooseAdmin({ config: undefined, host: where.host, environment, isWhole: true })
  const sources = await prepareSources(home, environment)
  const store = openStore(choice)
  const closers: (() => Promise<void>)[] = [store.close]
  const stop = async (): Promise<void> => {
    for (const close of closers.toReversed()) await close()
  }
  try {
    const effects = createDemoEffects(store)
    const encryption = encryptionOf(environment)
    const providers = Object.fromEntries(sources.map(({ name, provider }) => [name, provider]))
    const inbox = createInbox({
      store,
      ...(encryption !== undefined && { encryption }),
      sources: providers,
      // A receiver that stands alone owns an event once it has answered, whatever its handlers do.
      mode: 'queued',
      logger: silent,
      ...(options.failingType !== undefined && { retry: { maxAttempts: 3, firstSeconds: 1, factor: 2 } }),
    })
    const fault: GuideFault = { isBroken: false }
    for (const { name } of sources) {
      const handler = failing(effects.handler, options.failingType)
      if (name === guidedSource) inbox.on(name, '*', breakable(handler, fault), guidedRetries)
      else inbox.on(name, '*', handler)
    }
    inbox.subscribe(listener)
    await inbox.migrate()
    await effects.prepare()
    closers.push(() => inbox.stop())
    await inbox.start()

    let url: string | undefined
    const captures = createCaptures({
      store,
      sources: providers,
      catalogue: wholeCatalogue,
      receipts: inbox.receipts,
      casesFolder: join(dirname(home.folder), 'cases'),
      ownUrl: () => url,
      encryption,
      onError: (error) => inbox.door.onError?.(error),
      // It is for trying things out: any name will do, and what runs on this machine can be reached.
      options: { createOnUse: true, replay: { allowPrivateAddresses: ['127.0.0.0/8', '::1'] } },
    })
    captures.subscribe(listener)
    await captures.start()
    let admin: Admin | undefined
    const mounts = [adminMount(() => admin)]
    const { server, address } = await listenNear(() => createWebhookServer(inbox, { captures, mounts }), where)
    closers.push(() => server.close(10))
    closers.push(async () => captures.close())
    url = urlOf(where.host, address.port)
    if (dashboard.kind !== 'off') {
      const guide = createGuide({ url, provider: guidedProvider(sources), inbox, effects, fault })
      admin = openAdmin(dashboard, {
        inbox,
        captures,
        ingestUrl: url,
        guide,
        onError: (error) => inbox.door.onError?.(error),
      })
      closers.push(async () => admin?.close())
    }
    const control = {
      ...ledgerOfInbox(inbox, () => store.inspect({ environment: 'default' })),
      countEffects: effects.count,
      captures: calledCaptures(() => captures),
    }
    closers.push(await serveControl(control, { home, url, store: choice.kind, subscribe: inbox.subscribe }))
    const durability = await inbox.durability()
    return { url, port: address.port, inbox, captures, effects, sources, durability, dashboard, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The live view tells everything already. */
const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} }

function breakable(handler: DemoEffects['handler'], fault: GuideFault): DemoEffects['handler'] {
  return async (event, context) => {
    await handler(event, context)
    if (fault.isBroken) throw new Error('The handler was broken on purpose, on the dashboard.')
  }
}

function failing(handler: DemoEffects['handler'], type: string | undefined): DemoEffects['handler'] {
  return async (event, context) => {
    await handler(event, context)
    if (event.type === type) throw new Error(`The handler fails for ${type} on purpose, because of --fail.`)
  }
}
