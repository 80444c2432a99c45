import { describeError, isOncehookError, permanent } from '../errors.ts'
import type { RunOutcome, Step, StepTrace } from './automation.ts'
import { brief } from './brief.ts'
import type { RunParts } from './run-parts.ts'
import { runStep } from './run-step.ts'

/** How a run went. A failed one has the error that its transaction is to be rolled back with. */
export type StepsRun = {
  readonly outcome: RunOutcome
  readonly steps: readonly StepTrace[]
  readonly error: unknown
}

/** Runs the steps in their order. Never rejects. */
export async function runSteps(parts: RunParts): Promise<StepsRun> {
  const { steps } = parts.automation
  const traces: StepTrace[] = []
  let variables: Readonly<Record<string, unknown>> = {}
  let skipping = 0
  for (const [index, step] of steps.entries()) {
    const number = index + 1
    if (skipping > 0) {
      skipping -= 1
      traces.push(traceOf(number, step, { outcome: 'skipped', summary: 'Passed over, as a condition before it says.' }))
      continue
    }
    const startedAt = performance.now()
    const took = (): number => performance.now() - startedAt
    try {
      const result = await runStep(step, { ...parts, number, scope: { ...parts.scope, ...variables }, variables })
      variables = { ...variables, ...result.variables }
      const isEnd = result.next === 'end'
      traces.push(traceOf(number, step, { ...result, outcome: isEnd ? 'ended' : 'done', tookMilliseconds: took() }))
      if (isEnd) return { outcome: 'ended', steps: traces, error: undefined }
      if (typeof result.next === 'object') skipping = result.next.skip
    } catch (error) {
      const summary = 'Failed, so everything that the run had done was undone.'
      const told = { outcome: 'failed', summary, error: describeError(error), tookMilliseconds: took() } as const
      traces.push(traceOf(number, step, told))
      // No retry makes a value fit that does not.
      return { outcome: 'failed', steps: traces, error: isHopeless(error) ? permanent(error) : error }
    }
  }
  return { outcome: 'completed', steps: traces, error: undefined }
}

function isHopeless(error: unknown): boolean {
  return isOncehookError(error, 'ONCEHOOK_INVALID_VALUE') || isOncehookError(error, 'ONCEHOOK_INVALID_EFFECT')
}

type Told = Pick<StepTrace, 'outcome' | 'summary'> &
  Partial<Pick<StepTrace, 'input' | 'output' | 'error' | 'tookMilliseconds'>>

function traceOf(number: number, { kind, name }: Step, told: Told): StepTrace {
  const { outcome, summary, input, output, error, tookMilliseconds = 0 } = told
  return {
    number,
    kind,
    name,
    outcome,
    summary,
    input: brief(input),
    output: brief(output),
    error,
    tookMilliseconds: Math.round(tookMilliseconds * 100) / 100,
  }
}
