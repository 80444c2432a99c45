import { invalidOptions } from '../errors.ts'
import {
  type AutomationOptions,
  createInbox,
  type Encryption,
  type Inbox,
  type InboxListener,
  type Store,
} from '../index.ts'
import { type CheckedConfig, mistakesOf } from './check-config.ts'
import { stripTypesIn } from './strip-types.ts'

export type GatewayParts = {
  readonly store: Store<unknown>
  /** What mistakes are found in, for messages. */
  readonly file: string
  /** Where the configuration says nothing of it. */
  readonly encryption: Encryption | undefined
  readonly listener: InboxListener
  /** Of the project, whose compiler reads code of automations. */
  readonly directory: string
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
      automations: { ...stripping(parts.directory), ...options.automations },
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

function stripping(directory: string): Pick<AutomationOptions, 'stripTypes'> {
  const stripTypes = stripTypesIn(directory)
  return stripTypes === undefined ? {} : { stripTypes }
}
