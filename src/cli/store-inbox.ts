import { createInbox, type Inbox, isOncehookError, type Provider, type Store } from '../index.ts'
import { standardWebhooks } from '../providers/standard-webhooks.ts'
import { findReceiver } from './control-client.ts'
import { failed } from './failure.ts'
import { exists } from './home.ts'
import type { LedgerPlace } from './open-ledger.ts'
import { openStore, type SqlTransaction } from './open-store.ts'

/** Lends a source no more than its name: nothing is verified or identified by it. */
export function nameOnly(): Provider {
  return standardWebhooks({ unverified: true })
}

/** Works with an inbox on a store whose app is elsewhere: without its handlers, and without starting anything. Closes it afterwards. */
export async function withStoreInbox<Result>(
  { choice, home, environment, program, encryption }: LedgerPlace,
  sources: Readonly<Record<string, Provider>>,
  work: (inbox: Inbox<SqlTransaction>, store: Store<SqlTransaction>) => Promise<Result>,
): Promise<Result> {
  if (choice.kind === 'embedded') {
    const running = await findReceiver(home)
    if (running?.address.store === 'embedded') {
      throw failed(`The receiver at ${running.address.url} owns this store. Stop it first, or give --database.`)
    }
    if (!(await exists(choice.folder))) {
      throw failed(`There is no store in ${choice.folder} yet: run "${program} migrate" here, or give --database.`)
    }
  }
  const store = openStore(choice)
  try {
    const options = { store, sources, environment, migrations: 'manual', logger: silent } as const
    return await work(createInbox(encryption === undefined ? options : { ...options, encryption }), store)
  } catch (error) {
    if (!isOncehookError(error, 'ONCEHOOK_NOT_MIGRATED')) throw error
    throw failed(`${error.message} From here: ${program} migrate`, error)
  } finally {
    await store.close()
  }
}

const silent = { info: () => {}, warn: () => {}, error: () => {} }
