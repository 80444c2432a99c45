import {
  createInbox,
  type Encryption,
  type Inbox,
  type InboxOptions,
  type ReceiptFilter,
  type ReplayPreview,
  type Store,
} from '../index.ts'
import { standardWebhooks } from '../providers/standard-webhooks.ts'
import { createDemoEffects, type DemoEffects } from './demo-effects.ts'
import { failed } from './failure.ts'
import type { SqlTransaction } from './open-store.ts'
import { providerNames } from './provider-catalogue.ts'

/** Previews with the handlers that `start` has, on a store that nobody else need work on. Rejects where `start` was never run. */
export function previewerOf(
  store: Store<SqlTransaction>,
  environment: string,
  encryption?: Encryption,
): (filter: ReceiptFilter) => Promise<readonly ReplayPreview[]> {
  const effects = createDemoEffects(store)
  let inbox: Inbox<SqlTransaction> | undefined

  return async (filter) => {
    // Asked first, because a handler without its table would seem to fail in your app too.
    await effects.count('', []).catch((error: unknown) => {
      throw failed(
        'A preview runs the handlers, and those of your app are not in this command. ' +
          'Call inbox.replay(filter, { preview: true }) in your app.',
        error,
      )
    })
    inbox ??= demoInbox({
      store,
      environment,
      handler: effects.handler,
      ...(encryption !== undefined && { encryption }),
    })
    return inbox.replay(filter, { preview: true })
  }
}

function demoInbox({
  store,
  environment,
  encryption,
  handler,
}: Pick<InboxOptions<SqlTransaction>, 'store' | 'environment' | 'encryption'> &
  Pick<DemoEffects, 'handler'>): Inbox<SqlTransaction> {
  // What is stored was verified when it came, so the sources lend no more than their names.
  const source = standardWebhooks({ unverified: true })
  const inbox = createInbox({
    store,
    sources: Object.fromEntries(providerNames.map((name) => [name, source])),
    migrations: 'manual',
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    ...(environment !== undefined && { environment }),
    ...(encryption !== undefined && { encryption }),
  })
  for (const name of providerNames) inbox.on(name, '*', handler)
  return inbox
}
