import { dirname } from 'node:path'
import { createAdmin } from '../admin/create-admin.ts'
import { openGateway } from '../gateway/open-gateway.ts'
import { type Encryption, type Inbox, isOncehookError, type Store } from '../index.ts'
import { localApi, remoteApi } from '../mcp/create-mcp.ts'
import type { CallApi } from '../mcp/route-tool.ts'
import { findReceiver } from './control-client.ts'
import { encryptionOf, inboxOver } from './encryption.ts'
import { failed } from './failure.ts'
import { exists, homeOf } from './home.ts'
import { type ConfigHere, capturesOver, configHere, storeOf } from './open-captures.ts'
import { openStore, type SqlTransaction } from './open-store.ts'

/** Where the admin API is asked for. */
export type ApiPlace = {
  readonly url: string | undefined
  readonly token: string | undefined
  readonly values: { readonly database?: string | undefined; readonly schema?: string | undefined }
  /** Whose ledger; default: that of the configuration, else `default`. */
  readonly ledger: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly directory: string
  readonly program: string
  /** As whom a store of ours is looked at. */
  readonly identity: { readonly name: string; readonly role: 'viewer' | 'operator' }
  readonly onError: (error: unknown) => void
}

export type ApiAccess = { readonly callApi: CallApi; readonly about: string; readonly close: () => Promise<void> }

/** A gateway by its address, the one that runs here, or else the store itself, through the same API. */
export async function openApi(place: ApiPlace): Promise<ApiAccess> {
  const { url, token, values, environment, directory, program } = place
  if (url !== undefined) return { callApi: remoteApi(url, token), about: url, close: async () => {} }
  const home = homeOf(directory)
  const config = await configHere(directory)
  const choice = storeOf({ values, environment, directory }, config?.checked.config)
  if (choice.kind === 'embedded') {
    const running = await findReceiver(home)
    // An embedded store has one owner, which answers for it.
    if (running?.address.store === 'embedded') {
      return { callApi: remoteApi(running.address.url, token), about: running.address.url, close: async () => {} }
    }
    if (!(await exists(choice.folder))) {
      throw failed(
        `There is no store in ${choice.folder} yet: run "${program} start" here, or give --database or --url.`,
      )
    }
  }
  const store = openStore(choice)
  try {
    const encryption = config?.checked.options.encryption ?? encryptionOf(environment)
    const ledger = place.ledger ?? config?.checked.config.environment ?? 'default'
    const inbox =
      config === undefined ? inboxOver(store, ledger, encryption) : gatewayOver({ store, config, ledger, encryption })
    await inbox.admin.log.find({ limit: 1 })
    const sources = config?.checked.providers ?? {}
    const parts = { store, ledger, config, sources, encryption, directory, ownUrl: () => undefined }
    const captures = capturesOver(parts)
    const admin = createAdmin({ inbox, captures, authorize: async () => undefined, onError: place.onError })
    return {
      callApi: localApi((request) => admin.callAs(place.identity, request)),
      about: choice.kind === 'embedded' ? choice.folder : 'PostgreSQL',
      async close() {
        admin.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    if (!isOncehookError(error, 'ONCEHOOK_NOT_MIGRATED')) throw error
    throw failed(`${error.message} From here: ${program} migrate`, error)
  }
}

type GatewayParts = {
  readonly store: Store<SqlTransaction>
  readonly config: ConfigHere
  readonly ledger: string
  readonly encryption: Encryption | undefined
}

/** With the sources and handlers of a configuration, of which nothing is started. */
function gatewayOver({ store, config, ledger, encryption }: GatewayParts): Inbox<unknown> {
  const { file, checked } = config
  const options = { ...checked.options, environment: ledger, migrations: 'manual' } as const
  return openGateway({ ...checked, options }, { file, directory: dirname(file), encryption, listener: () => {}, store })
}
