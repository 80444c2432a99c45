import { readFileSync } from 'node:fs'
import type { Captures } from '../capture/create-captures.ts'
import { systemClock } from '../clock.ts'
import { describeError } from '../errors.ts'
import type { AdminInbox } from './admin-inbox.ts'
import { allRoutes } from './all-routes.ts'
import { respondRefusal } from './answers.ts'
import { createServeAssets } from './assets.ts'
import { type AuthenticationOptions, createAuthentication } from './auth/authenticate.ts'
import type { Identity } from './auth/identity.ts'
import type { Guide } from './guide.ts'
import { createLive, type LiveEvent } from './live.ts'
import { type AdminNodeHandler, createNodeHandler } from './node-handler.ts'
import { createOverview } from './overview.ts'
import { refuse } from './refusal.ts'
import { createServeApi } from './serve.ts'
import type { Services } from './services.ts'
import type { Surroundings } from './surroundings.ts'

export type { AdminInbox } from './admin-inbox.ts'
export { type Authorize, mistakesInAuthentication } from './auth/authenticate.ts'
export type { Identity, Role } from './auth/identity.ts'
export { isLoopbackHost } from './auth/origins.ts'
export type { AdminToken } from './auth/tokens.ts'
export type { Guide, GuideState, SampleToSend, SentSample } from './guide.ts'
export type { LiveEvent } from './live.ts'
export type { AdminNodeHandler } from './node-handler.ts'

/** What the admin surface is given. */
export type AdminOptions = AuthenticationOptions & {
  readonly inbox: AdminInbox
  /** Of `createCaptures`, to be shown and worked with as well. Default: none. */
  readonly captures?: Captures | undefined
  /** The path that it is mounted under, as in `/admin`. Express says so by itself. Default: none. */
  readonly basePath?: string | undefined
  /** Nobody may change anything. Default false. */
  readonly readOnly?: boolean | undefined
  /** Believe `x-forwarded-proto` and `x-forwarded-host`. Only behind a proxy that sets them. Default false. */
  readonly trustProxy?: boolean | undefined
  /** Where deliveries come in, as in `https://hooks.example.com`: sources are shown at `/in/<source>` of it. */
  readonly ingestUrl?: string | undefined
  /** Told of failures that callers only see as a 500. Default: a warning on the console. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** For those who are guided through a first event. */
  readonly guide?: Guide | undefined
}

/** The API and the dashboard of an inbox. */
export type Admin = {
  /** For whatever speaks `Request` and `Response`. Whoever knows the address of the caller gives it. */
  readonly handler: (request: Request, peer?: { readonly remoteAddress?: string | undefined }) => Promise<Response>
  /** For node:http, Express and the like. */
  readonly nodeHandler: AdminNodeHandler
  /** Calls the API for somebody, without a login: for programs in this process that have asked them who they are. */
  readonly callAs: (identity: Identity, request: Request) => Promise<Response>
  /** Tells those who watch live of something that is no event of the inbox. */
  readonly tell: (event: LiveEvent) => void
  /** Ends the streams of those who watch live. */
  readonly close: () => void
}

const apiPath = '/api/v1'

/** The admin surface of an inbox, to be mounted wherever its users can reach it. Checks the options; no I/O until the first request. */
export function createAdmin(options: AdminOptions): Admin {
  const { inbox, basePath = '', readOnly = false, trustProxy = false, onError = warn } = options
  const authentication = createAuthentication({ ...options, sessions: inbox.admin.sessions, clock: systemClock })
  const live = createLive(systemClock)
  const unsubscribers = [inbox.subscribe(live.tell), options.captures?.subscribe(live.tell)]
  const services: Services = {
    inbox,
    authentication,
    live,
    overview: createOverview(inbox),
    captures: options.captures,
    guide: options.guide,
    ingestUrl: options.ingestUrl,
    isReadOnly: readOnly,
    version: versionOfPackage(),
    features: {
      captures: options.captures !== undefined,
      datastore: true,
      automations: inbox.automations !== undefined,
    },
  }
  const serveApi = createServeApi({ routes: allRoutes, services, onError })
  const serveAssets = createServeAssets()

  const handle = async (
    request: Request,
    given: Omit<Surroundings, 'mount'> & { readonly mount?: string },
  ): Promise<Response> => {
    const { mount = basePath.replace(/\/+$/, '') } = given
    const { pathname } = new URL(request.url)
    const path = pathname === mount || pathname.startsWith(`${mount}/`) ? pathname.slice(mount.length) : undefined
    const isApi = path === apiPath || path?.startsWith(`${apiPath}/`) === true
    if (path !== undefined && isApi) return serveApi(request, path.slice(apiPath.length), { ...given, mount })
    const asset = path === undefined ? undefined : await serveAssets(request, path, mount)
    return asset ?? respondRefusal(refuse('not_found', 'There is nothing here.'))
  }

  return {
    handler: (request, { remoteAddress } = {}) => handle(request, { remoteAddress }),
    nodeHandler: createNodeHandler({ handle, trustProxy, onError }),
    callAs: (identity, request) =>
      handle(request, { remoteAddress: undefined, caller: { identity, by: 'program', csrf: undefined } }),
    tell: live.tell,
    close() {
      for (const unsubscribe of unsubscribers) unsubscribe?.()
      live.close()
    },
  }
}

function warn(error: unknown): void {
  console.warn(`oncehook: a call of the admin surface failed. ${describeError(error)}`)
}

function versionOfPackage(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  return manifest.version
}
