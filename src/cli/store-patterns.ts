import { createInbox, type RetryPattern, type RetryPatternFilter, type Store } from '../index.ts'
import type { SqlTransaction } from './open-store.ts'
import { loadProvider, providerNames } from './provider-catalogue.ts'

/** Retry patterns of a store whose app is elsewhere: a source that has the name of a provider is taken to be that provider. */
export function retryPatternsOf(
  store: Store<SqlTransaction>,
  environment: string,
): (filter: RetryPatternFilter) => Promise<readonly RetryPattern[]> {
  return async (filter) => {
    const sources = await Promise.all(
      providerNames.map(async (name) => [name, (await loadProvider(name))?.({ unverified: true })] as const),
    )
    const inbox = createInbox({
      store,
      sources: Object.fromEntries(sources.flatMap(([name, source]) => (source === undefined ? [] : [[name, source]]))),
      environment,
      migrations: 'manual',
      // Whether the app's handlers run before the answer is not known here, so nothing is concluded from how long they took.
      mode: 'queued',
    })
    return inbox.retryPatterns(filter)
  }
}
