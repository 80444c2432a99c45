import { type Encryption, isOncehookError } from '../index.ts'
import { findReceiver } from './control-client.ts'
import { failed } from './failure.ts'
import { exists, type Home } from './home.ts'
import { type Ledger, ledgerOfStore } from './ledger.ts'
import { openStore, type StoreChoice } from './open-store.ts'

/** What a command needs to find its receipts. */
export type LedgerPlace = {
  readonly choice: StoreChoice
  readonly home: Home
  readonly environment: string
  readonly program: string
  /** To read what is encrypted. */
  readonly encryption?: Encryption | undefined
}

/**
 * Works on the receipts of a store, and closes it afterwards. The embedded store has one owner at a time, so while a receiver
 * holds it, that one is asked.
 */
export async function withLedger<Result>(
  place: LedgerPlace,
  work: (ledger: Ledger, through: 'receiver' | 'store') => Promise<Result>,
): Promise<Result> {
  const { choice, home, environment, program, encryption } = place
  if (choice.kind === 'embedded') {
    const running = await findReceiver(home)
    if (running?.address.store === 'embedded') return work(running.control, 'receiver')
    if (!(await exists(choice.folder))) {
      throw failed(`There are no receipts in ${choice.folder} yet: run "${program} start" here, or give --database.`)
    }
  }
  const store = openStore(choice)
  try {
    return await work(ledgerOfStore(store, environment, encryption), 'store')
  } catch (error) {
    if (!isOncehookError(error, 'ONCEHOOK_NOT_MIGRATED')) throw error
    throw failed(`${error.message} From here: ${program} migrate`, error)
  } finally {
    await store.close()
  }
}
