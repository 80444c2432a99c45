import { invalidOptions } from '../errors.ts'
import { createInbox, type Encryption, type Inbox, type InboxListener, type Store } from '../index.ts'
import { type CheckedConfig, mistakesOf } from './check-config.ts'

export type GatewayParts = {
  readonly store: Store<unknown>
  /** What mistakes are found in, for messages. */
  readonly file: string
  /** Where the configuration says nothing of it. */
  readonly encryption: Encryption | undefined
  readonly listener: InboxListener
}

/** An inbox as the configuration describes it, which nothing runs in yet. */
export function openGateway({ options, providers, handlers }: CheckedConfig, parts: GatewayParts): Inbox<unknown> {
  const { encryption = parts.encryption } = options
  try {
    const inbox = createInbox({
      // It stands alone: once it has answered, an event is its own to finish, whatever becomes of handlers and endpoints.
      mode: 'queued',
      // Whoever listens tells everything already.
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      ...options,
      ...(encryption !== undefined && { encryption }),
      store: parts.store,
      sources: providers,
    })
    const mistakes: string[] = []
    for (const { path, source, type, run, options: chosen } of handlers) {
      try {
        inbox.on(source, type, run, chosen)
      } catch (error) {
        mistakes.push(...mistakesOf(error).map((mistake) => `${path}: ${mistake}`))
      }
    }
    if (mistakes.length > 0) throw invalidOptions(parts.file, mistakes)
    inbox.subscribe(parts.listener)
    return inbox
  } catch (error) {
    throw invalidOptions(parts.file, mistakesOf(error))
  }
}
