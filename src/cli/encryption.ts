import { createInbox, type Encryption, type Inbox, type Store } from '../index.ts'
import { standardWebhooks } from '../providers/standard-webhooks.ts'
import { wrongUsage } from './failure.ts'
import type { SqlTransaction } from './open-store.ts'

const variable = 'ONCEHOOK_ENCRYPTION_KEYS'

/** The keys of the environment: `id=key,id=key`, the first one for what is written. They are never options, which others could see. */
export function encryptionOf(environment: Readonly<Record<string, string | undefined>>): Encryption | undefined {
  const text = environment[variable]
  if (text === undefined || text.trim() === '') return undefined
  const pairs = text.split(',').map((pair) => /^\s*([\w.-]+)=(.+?)\s*$/.exec(pair))
  const keys: Record<string, string> = {}
  for (const [index, pair] of pairs.entries()) {
    const [, id = '', key = ''] = pair ?? []
    if (id === '' || Object.hasOwn(keys, id)) {
      throw wrongUsage(
        `$${variable} cannot be read at its ${index + 1}. key: it has to be id=key,id=key with different ids.`,
      )
    }
    keys[id] = key
  }
  return { keys, current: pairs[0]?.[1] ?? '' }
}

/** For commands that cannot do without. */
export function demandedEncryption(environment: Readonly<Record<string, string | undefined>>): Encryption {
  const encryption = encryptionOf(environment)
  if (encryption !== undefined) return encryption
  throw wrongUsage(`$${variable} is missing: give the keys as id=key,id=key, the one to change to first.`)
}

/** Reads what is encrypted, and nothing else. */
export function readerOf(
  store: Store<SqlTransaction>,
  environment: string,
  encryption: Encryption,
): Inbox<SqlTransaction>['receipts'] {
  return inboxOver(store, environment, encryption).receipts
}

/** An inbox on a store whose app is elsewhere. Never migrates. Its source lends no more than a name. */
export function inboxOver(
  store: Store<SqlTransaction>,
  environment: string,
  encryption: Encryption | undefined,
): Omit<Inbox<SqlTransaction>, 'on' | 'handler' | 'receive' | 'shadow' | 'sources'> & {
  readonly sources: readonly string[]
} {
  return createInbox({
    store,
    sources: { any: standardWebhooks({ unverified: true }) },
    environment,
    ...(encryption !== undefined && { encryption }),
    automations: {},
    migrations: 'manual',
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  })
}
