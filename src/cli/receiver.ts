import { createWebhookServer } from '../adapters/webhook-server.ts'
import { createInbox, type DurabilityReport, type Inbox, type InboxListener, type Logger } from '../index.ts'
import { serveControl } from './control-server.ts'
import { createDemoEffects, type DemoEffects } from './demo-effects.ts'
import { encryptionOf } from './encryption.ts'
import { type Home, prepareHome } from './home.ts'
import { ledgerOfInbox } from './ledger.ts'
import { listenNear, type PortChoice, urlOf } from './listen.ts'
import { openStore, type SqlTransaction, type StoreChoice } from './open-store.ts'
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
  readonly effects: DemoEffects
  readonly sources: readonly Source[]
  readonly durability: DurabilityReport
  /** Finishes what runs and lets go of everything. */
  readonly stop: () => Promise<void>
}

/** Starts everything, or lets go of what was started and rejects. */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const { home, choice, where, environment, listener } = options
  await prepareHome(home)
  const sources = await prepareSources(home, environment)
  const store = openStore(choice)
  const closers: (() => Promise<void>)[] = [store.close]
  const stop = async (): Promise<void> => {
    for (const close of closers.toReversed()) await close()
  }
  try {
    const effects = createDemoEffects(store)
    const encryption = encryptionOf(environment)
    const inbox = createInbox({
      store,
      ...(encryption !== undefined && { encryption }),
      sources: Object.fromEntries(sources.map(({ name, provider }) => [name, provider])),
      // A receiver that stands alone owns an event once it has answered, whatever its handlers do.
      mode: 'queued',
      logger: silent,
      ...(options.failingType !== undefined && { retry: { maxAttempts: 3, firstSeconds: 1, factor: 2 } }),
    })
    for (const { name } of sources) inbox.on(name, '*', failing(effects.handler, options.failingType))
    inbox.subscribe(listener)
    await inbox.migrate()
    await effects.prepare()
    closers.push(() => inbox.stop())
    await inbox.start()

    const { server, address } = await listenNear(() => createWebhookServer(inbox), where)
    closers.push(() => server.close(10))
    const url = urlOf(where.host, address.port)
    const control = {
      ...ledgerOfInbox(inbox, () => store.inspect({ environment: 'default' })),
      countEffects: effects.count,
    }
    closers.push(await serveControl(control, { home, url, store: choice.kind }))
    return { url, port: address.port, inbox, effects, sources, durability: await inbox.durability(), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The live view tells everything already. */
const silent: Logger = { info: () => {}, warn: () => {}, error: () => {} }

function failing(handler: DemoEffects['handler'], type: string | undefined): DemoEffects['handler'] {
  return async (event, context) => {
    await handler(event, context)
    if (event.type === type) throw new Error(`The handler fails for ${type} on purpose, because of --fail.`)
  }
}
