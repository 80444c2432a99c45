import type { ChangingHandler, HandlerRegistry } from '../effects/handler-registry.ts'
import { describeError } from '../errors.ts'
import type { InboxListener } from '../events.ts'
import type { RunToNote, StoredAutomation } from '../store/automation-store.ts'
import type { Store } from '../store/store.ts'
import type { Target } from '../targets/target.ts'
import type { UpkeepTask } from '../upkeep.ts'
import type { Automation, AutomationTrigger } from './automation.ts'
import { automationHandler } from './automation-handler.ts'
import type { AutomationOptions } from './automation-options.ts'
import { captureSource } from './capture-source.ts'
import { createCompileCode } from './compile-code.ts'
import { automationTarget, type ForwardTargetParts, forwardTarget } from './forward-message.ts'
import { createRunCode } from './run-code.ts'
import { runsTask } from './runs-task.ts'

export type AutomationParts<Tx> = {
  readonly store: Pick<Store<Tx>, 'automations'>
  readonly environment: string
  readonly registry: HandlerRegistry<Tx>
  /** All that there may be automations for, at any time. */
  readonly sources: readonly string[]
  readonly emit: InboxListener
  readonly ready: () => Promise<void>
  readonly readBody: ForwardTargetParts['readBody']
}

/** Automations as the inbox runs them. */
export type RunningAutomations = {
  readonly targets: Readonly<Record<string, Target>>
  readonly tasks: readonly UpkeepTask[]
  /** True if definitions may have changed elsewhere since they were last looked at. */
  readonly isStale: () => boolean
  /** Looks at the definitions if anything has changed, so that handlers are those of now. */
  readonly refresh: () => Promise<void>
  readonly known: () => readonly KnownAutomation[]
  /** When runs that failed are written down too. */
  readonly flush: () => Promise<void>
  readonly runCode: ReturnType<typeof createRunCode>
  readonly compiled: ReturnType<typeof createCompileCode>
}

/** An automation, and who defined it. */
export type KnownAutomation = {
  readonly name: string
  readonly automation: Automation
  readonly origin: 'config' | 'api'
  readonly revision: number
  readonly changedAt: Date | undefined
  readonly changedBy: string | undefined
}

/** So old may definitions be at the door, where other processes may have changed them. */
const freshMilliseconds = 2000

/** Threads for code in this process. */
const codeThreads = 4

export function createAutomations<Tx>(options: AutomationOptions, parts: AutomationParts<Tx>): RunningAutomations {
  const { environment, registry, emit, ready, readBody, sources } = parts
  const { automations: store } = parts.store
  const { define = {}, forward = {}, secrets = {}, keepRunDays = 14, stripTypes } = options
  const runCode = createRunCode(codeThreads)
  const compiled = createCompileCode(stripTypes)
  const handlerParts = { environment, runCode, compiled, noteFailed }
  const noting = new Set<Promise<void>>()
  const configured = Object.entries(define).map(([name, automation]): KnownAutomation => {
    return { name, automation, origin: 'config', revision: 0, changedAt: undefined, changedBy: undefined }
  })
  let known: readonly KnownAutomation[] = configured
  let revision = -1
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  let next: Promise<void> | undefined
  registry.change(handlersOf(configured, []), sources)

  return {
    targets: { [forwardTarget]: automationTarget({ post: forward, secrets, readBody }) },
    tasks: [runsTask(store, { environment, keepRunDays })],
    isStale: () => performance.now() - lookedAt > freshMilliseconds,
    refresh,
    known: () => known,
    flush: async () => void (await Promise.all(noting)),
    runCode,
    compiled,
  }

  /** Whoever comes while somebody looks may need to see what was committed since, so looks again, together with all who wait. */
  function refresh(): Promise<void> {
    if (looking === undefined) {
      looking = look().finally(() => {
        looking = undefined
      })
      return looking
    }
    next ??= looking
      .catch(() => {})
      .then(() => {
        next = undefined
        return refresh()
      })
    return next
  }

  async function look(): Promise<void> {
    await ready()
    const startedAt = performance.now()
    const current = await store.revision(environment)
    if (current !== revision) {
      const stored = await store.list(environment)
      const own = stored.filter(({ name }) => !Object.hasOwn(define, name))
      known = [...configured, ...own.flatMap(knownOf)]
      registry.change(handlersOf(known, own), sources)
      revision = current
    }
    lookedAt = startedAt
  }

  function handlersOf(
    all: readonly KnownAutomation[],
    stored: readonly StoredAutomation[],
  ): readonly ChangingHandler<Tx>[] {
    const active = all
      .filter(({ automation }) => automation.isEnabled !== false)
      .map(({ name, automation }): ChangingHandler<Tx> => {
        const isInline = automation.steps.some(({ kind }) => kind === 'respond')
        return {
          ...placeOf(automation.on),
          run: automationHandler(name, automation, handlerParts),
          options: { name: handlerName(name), mode: isInline ? 'inline' : 'queued' },
          isRetired: false,
        }
      })
    // Events that wait for an automation which is gone, or runs on something else now, must not wait for ever.
    const retired = stored.flatMap(({ name, formerTriggers }) =>
      formerTriggers.map((trigger, index): ChangingHandler<Tx> => {
        const options = { name: `${handlerName(name)} before ${index + 1}`, mode: 'queued' } as const
        return { ...placeOf(JSON.parse(trigger) as AutomationTrigger), run: () => {}, options, isRetired: true }
      }),
    )
    return [...active, ...retired]
  }

  function noteFailed(run: RunToNote): void {
    // Not awaited by the handler, whose transaction holds the only connection of an embedded store.
    const noted = store
      .noteRun(run)
      .catch((error: unknown) => {
        const message = `The trace of a failed run of automation ${run.automation} could not be written.`
        emit({ kind: 'notice', level: 'warning', message, error: describeError(error) })
      })
      .finally(() => noting.delete(noted))
    noting.add(noted)
  }
}

function handlerName(automation: string): string {
  return `automation:${automation}`
}

function placeOf(trigger: AutomationTrigger): Pick<ChangingHandler<never>, 'source' | 'types'> {
  return 'endpoint' in trigger
    ? { source: captureSource, types: trigger.endpoint }
    : { source: trigger.source, types: trigger.types ?? '*' }
}

function knownOf({ name, definition, revision, changedAt, changedBy }: StoredAutomation): readonly KnownAutomation[] {
  if (definition === undefined) return []
  const automation = JSON.parse(definition) as Automation
  return [{ name, automation, origin: 'api', revision, changedAt, changedBy }]
}
