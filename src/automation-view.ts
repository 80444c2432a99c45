import type { Automation, StepTrace } from './automation/automation.ts'
import { type AutomationOptions, placeOf } from './automation/automation-options.ts'
import { type CapturedRequest, captureSource } from './automation/capture-source.ts'
import { automationMistakes } from './automation/check-automation.ts'
import type { KnownAutomation, RunningAutomations } from './automation/create-automations.ts'
import type { CaptureAnswer } from './automation/run-parts.ts'
import { type TestInput, testAutomation } from './automation/test-automation.ts'
import type { DeliveryInput } from './delivery/delivery.ts'
import type { Outcome } from './delivery/outcome.ts'
import type { Processing } from './effects/processing.ts'
import { OncehookError } from './errors.ts'
import type { RunFilter, StoredRun } from './store/automation-store.ts'

/** A run with its trace. */
export type AutomationRun = Omit<StoredRun, 'steps'> & { readonly steps: readonly StepTrace[] }

/** What became of a wish to change an automation. */
export type AutomationChange =
  | { readonly kind: 'saved'; readonly automation: KnownAutomation }
  | { readonly kind: 'invalid'; readonly mistakes: readonly string[] }
  /** It stands in the configuration, which is the place to change it. */
  | { readonly kind: 'configured' }
  /** Somebody else has changed it since. */
  | { readonly kind: 'changed' }

/** Automations of an inbox: looked at, changed and tried out. */
export type AutomationView = {
  readonly list: () => Promise<readonly KnownAutomation[]>
  readonly get: (name: string) => Promise<KnownAutomation | undefined>
  /** Every mistake in a definition, each with its path. */
  readonly check: (name: string, automation: unknown) => Promise<readonly string[]>
  /** Takes effect here at once, and within seconds in other processes. */
  readonly put: (
    name: string,
    automation: unknown,
    note: { readonly by: string; readonly ifRevision?: number | undefined },
  ) => Promise<AutomationChange>
  readonly delete: (name: string, note: { readonly by: string }) => Promise<'deleted' | 'unknown' | 'configured'>
  /** Newest first. */
  readonly runs: (filter?: Partial<RunFilter>) => Promise<readonly AutomationRun[]>
  readonly run: (id: string) => Promise<AutomationRun | undefined>
  /** Runs the steps in a transaction that is rolled back: nothing is stored, sent or answered. Undefined: nothing there to run it on. */
  readonly test: (
    name: string,
    automation: Automation,
    input: TestInput,
  ) => Promise<Pick<AutomationRun, 'outcome' | 'error' | 'steps'> | undefined>
  /** A captured request for the automations of its endpoint: queued when this resolves, or answered. Never rejects. */
  readonly onCapture: (
    capture: CapturedRequest,
  ) => Promise<(CaptureAnswer & { readonly automation: string }) | undefined>
}

export type AutomationViewParts<Tx> = {
  readonly running: RunningAutomations
  readonly options: AutomationOptions
  readonly sources: readonly string[]
  readonly processing: Processing<Tx>
  readonly environment: string
  readonly ready: () => Promise<void>
  readonly wake: () => Promise<void>
  readonly receive: (source: string, delivery: DeliveryInput) => Promise<Outcome>
  readonly deliveryOf: (capture: CapturedRequest) => DeliveryInput
}

export function createAutomationView<Tx>(parts: AutomationViewParts<Tx>): AutomationView {
  const { running, options, sources, processing, environment, ready, wake, receive, deliveryOf } = parts
  const { store, emit } = processing
  const { define = {} } = options

  return {
    async list() {
      await running.refresh()
      return running.known()
    },
    get,
    check,
    async put(name, automation, { by, ifRevision }) {
      if (Object.hasOwn(define, name)) return { kind: 'configured' }
      const mistakes = await check(name, automation)
      if (mistakes.length > 0) return { kind: 'invalid', mistakes }
      const { on, isEnabled = true } = automation as Automation
      await ready()
      const isSaved = await store.automations.save({
        environment,
        name,
        definition: JSON.stringify(automation),
        trigger: isEnabled ? JSON.stringify(on) : undefined,
        by,
        ifRevision,
      })
      const saved = await get(name)
      if (!isSaved || saved === undefined) return { kind: 'changed' }
      await wake()
      return { kind: 'saved', automation: saved }
    },
    async delete(name, { by }) {
      if (Object.hasOwn(define, name)) return 'configured'
      await ready()
      const isDeleted = await store.automations.delete(environment, name, by)
      await running.refresh()
      if (isDeleted) await wake()
      return isDeleted ? 'deleted' : 'unknown'
    },
    async runs({ automation, outcome, beforeId, limit = 50 } = {}) {
      await ready()
      await running.flush()
      const found = await store.automations.findRuns(environment, { automation, outcome, beforeId, limit })
      return found.map(shown)
    },
    async run(id) {
      await ready()
      await running.flush()
      const found = await store.automations.readRun(environment, id)
      return found && shown(found)
    },
    async test(name, automation, input) {
      await ready()
      return testAutomation({ name, automation, input, processing, environment, running })
    },
    async onCapture(capture) {
      try {
        await running.refresh()
        const automation = running
          .known()
          .find(({ automation: { on } }) => 'endpoint' in on && on.endpoint === capture.endpoint)
        if (automation === undefined) return undefined
        const outcome = await receive(captureSource, deliveryOf(capture))
        if (outcome.kind === 'processed' && outcome.answer !== undefined) {
          const { status, headers = {}, body = '' } = outcome.answer
          return { status, headers, body, automation: automation.name }
        }
        if (!taken.has(outcome.kind)) throw notTaken(capture, outcome.kind)
      } catch (error) {
        const message = `The automations of endpoint ${capture.endpoint} could not be given capture ${capture.id}.`
        emit({ kind: 'notice', level: 'error', message, error: error instanceof Error ? error.message : String(error) })
      }
      return undefined
    },
  }

  async function get(name: string): Promise<KnownAutomation | undefined> {
    await running.refresh()
    return running.known().find((known) => known.name === name)
  }

  async function check(name: string, automation: unknown): Promise<readonly string[]> {
    const mistakes = automationMistakes(name, automation, placeOf(options, sources))
    return mistakes.length > 0 ? mistakes : codeMistakes(automation as Automation)
  }

  async function codeMistakes({ steps }: Automation): Promise<readonly string[]> {
    const mistakes: string[] = []
    for (const [index, step] of steps.entries()) {
      if (step.kind !== 'code') continue
      await running.compiled(step.code).catch((error: Error) => mistakes.push(`steps[${index}].code ${error.message}`))
    }
    return mistakes
  }
}

const taken: ReadonlySet<Outcome['kind']> = new Set(['accepted', 'processed', 'duplicate', 'ignored', 'failed'])

function notTaken({ id }: CapturedRequest, kind: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_STORE_UNAVAILABLE',
    `Capture ${id} could not be recorded for its automations: ${kind}.`,
  )
}

function shown({ steps, ...run }: StoredRun): AutomationRun {
  return { ...run, steps: JSON.parse(steps) as readonly StepTrace[] }
}
