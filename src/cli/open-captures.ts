import { dirname, join } from 'node:path'
import { type Captures, createCaptures } from '../capture/create-captures.ts'
import type { CheckedConfig } from '../gateway/check-config.ts'
import { createConfigLoader, findConfig } from '../gateway/load-config.ts'
import { type Encryption, isOncehookError, type Provider, type Store } from '../index.ts'
import type { Call } from './command.ts'
import { findReceiver } from './control-client.ts'
import { encryptionOf } from './encryption.ts'
import { failed } from './failure.ts'
import { exists, homeOf } from './home.ts'
import { ledgerOfStore } from './ledger.ts'
import { chooseStore, openStore, type SqlTransaction, type StoreChoice } from './open-store.ts'
import { wholeCatalogue } from './provider-catalogue.ts'
import { actionsOf, type CaptureActions, capturesThrough } from './remote-captures.ts'
import { senderFor } from './sources.ts'

type Values = {
  readonly database?: string | undefined
  readonly schema?: string | undefined
  readonly environment?: string | undefined
}

export type ConfigHere = { readonly file: string; readonly checked: CheckedConfig }

/** The configuration of the directory, if it has one. */
export async function configHere(directory: string): Promise<ConfigHere | undefined> {
  const file = findConfig(directory)
  return file === undefined ? undefined : { file, checked: await createConfigLoader(file).load() }
}

/** The database of the options, else of the configuration, else as always. */
export function storeOf(
  { values, environment, directory }: Pick<Call, 'environment' | 'directory'> & { readonly values: Values },
  config: CheckedConfig['config'] | undefined,
): StoreChoice {
  const schema = values.schema ?? config?.schema
  const database = values.database ?? config?.database
  const isFolder = values.database === undefined && database !== undefined && !/^[a-z]+:\/\//.test(database)
  return isFolder
    ? { kind: 'embedded', folder: database, schema }
    : chooseStore({ database, schema }, environment, homeOf(directory))
}

type CapturesOfStore = {
  readonly store: Store<SqlTransaction>
  readonly ledger: string
  readonly config: ConfigHere | undefined
  readonly sources: Readonly<Record<string, Provider>>
  readonly encryption: Encryption | undefined
  readonly directory: string
  readonly ownUrl: () => string | undefined
}

/** Those of a store whose gateway is elsewhere, or does not run. */
export function capturesOver(given: CapturesOfStore): Captures {
  const { store, ledger, config, sources, encryption, directory, ownUrl } = given
  const { find, body } = ledgerOfStore(store, ledger, encryption)
  return createCaptures({
    store,
    environment: ledger,
    sources,
    catalogue: wholeCatalogue,
    encryption,
    receipts: { find, body },
    ownUrl,
    casesFolder: join(config === undefined ? directory : dirname(config.file), 'cases'),
    // Whoever runs a command on this machine can reach it anyway.
    options: { replay: { allowPrivateAddresses: ['127.0.0.0/8', '::1'], ...config?.checked.config.captures?.replay } },
  })
}

/**
 * Works on the captures of a store. The embedded store has one owner at a time, so while a gateway holds it, that one is asked. `signer` is
 * the provider to sign for, where no configuration knows its secret.
 */
export async function withCaptures<Result>(
  call: Pick<Call, 'environment' | 'directory' | 'program'> & { readonly values: Values },
  work: (captures: CaptureActions) => Promise<Result>,
  signer?: string,
): Promise<Result> {
  const { values, environment, directory, program } = call
  const home = homeOf(directory)
  const config = await configHere(directory)
  const choice = storeOf(call, config?.checked.config)
  const running = await findReceiver(home)
  if (choice.kind === 'embedded') {
    if (running?.address.store === 'embedded') return work(capturesThrough(running.control.captures))
    if (!(await exists(choice.folder)))
      throw failed(`There are no captures in ${choice.folder} yet: run "${program} start" here, or give --database.`)
  }
  const store = openStore(choice)
  try {
    const captures = capturesOver({
      store,
      ledger: values.environment ?? config?.checked.config.environment ?? 'default',
      config,
      sources: config?.checked.providers ?? (await lonelySigner(signer, call)),
      encryption: config?.checked.options.encryption ?? encryptionOf(environment),
      directory,
      ownUrl: () => running?.address.url,
    })
    return await work(actionsOf(captures))
  } catch (error) {
    if (!isOncehookError(error, 'ONCEHOOK_NOT_MIGRATED')) throw error
    throw failed(`${error.message} From here: ${program} migrate`, error)
  } finally {
    await store.close()
  }
}

async function lonelySigner(
  name: string | undefined,
  { environment, directory }: Pick<Call, 'environment' | 'directory'>,
): Promise<Readonly<Record<string, Provider>>> {
  if (name === undefined) return {}
  return { [name]: await senderFor(name, { secret: undefined, home: homeOf(directory), environment }) }
}
