import { type Captures, createCaptures } from '../capture/create-captures.ts'
import type { AutomationView, Encryption, Inbox, InboxListener, Provider, Store } from '../index.ts'
import type { CheckedConfig } from './check-config.ts'

export type CaptureParts = {
  readonly store: Store<unknown>
  readonly inbox: Pick<Inbox<unknown>, 'receipts'>
  /** Where the gateway listens, once it does. */
  readonly ownUrl: () => string | undefined
  readonly casesFolder: string
  readonly catalogue: () => Promise<readonly Provider[]>
  /** Where the configuration says nothing of it. */
  readonly encryption: Encryption | undefined
  readonly listener: InboxListener
  readonly onError: (error: unknown) => void
  /** Automations of endpoints. */
  readonly onCapture: AutomationView['onCapture'] | undefined
}

/** Capture endpoints as the configuration describes them. Without the setting there are none from the start, but some can be made. */
export function openCaptures({ config, options, providers }: CheckedConfig, parts: CaptureParts): Captures {
  const { listener, inbox, ...rest } = parts
  const captures = createCaptures({
    ...rest,
    receipts: inbox.receipts,
    environment: options.environment,
    sources: providers,
    encryption: options.encryption ?? parts.encryption,
    options: config.captures,
  })
  captures.subscribe(listener)
  return captures
}
