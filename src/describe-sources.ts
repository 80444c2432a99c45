import type { DescribedHandler, HandlerRegistry } from './effects/handler-registry.ts'
import type { Provider } from './verify/provider.ts'

/** A source as people look at it. Never holds a secret. */
export type SourceDescription = {
  readonly name: string
  /** The provider's name and title. */
  readonly provider: string
  readonly title: string
  readonly documentation: string
  readonly mode: 'inline' | 'queued'
  readonly handlers: readonly DescribedHandler[]
  readonly deadlineSeconds: number | undefined
  readonly retryHours: number | undefined
  readonly keepDays: number | 'forever'
  /** False if anybody is believed who knows its address. */
  readonly isVerified: boolean
  /** Weak points of its set-up. */
  readonly warnings: readonly string[]
}

export function describeSources<Tx>(
  sources: ReadonlyMap<string, Provider>,
  registry: HandlerRegistry<Tx>,
  mode: 'inline' | 'queued',
): readonly SourceDescription[] {
  return [...sources].map(([name, { name: provider, facts, settings, warnings }]) => ({
    name,
    provider,
    title: facts.title,
    documentation: facts.documentation,
    mode: settings.mode ?? mode,
    handlers: registry.describe(name),
    deadlineSeconds: facts.deadlineSeconds,
    retryHours: facts.retryHours,
    keepDays: settings.keepDays ?? facts.keepDays,
    isVerified: settings.isVerified,
    warnings,
  }))
}
