import type { Handler, HandlerContext, WebhookEvent } from '../effects/handler.ts'
import { transactionOf } from '../effects/handler-context.ts'
import { describeError } from '../errors.ts'
import type { RunToNote } from '../store/automation-store.ts'
import type { Automation } from './automation.ts'
import { scopeOf } from './event-scope.ts'
import type { RunParts } from './run-parts.ts'
import { runSteps } from './run-steps.ts'

export type AutomationHandlerParts = Pick<RunParts, 'runCode' | 'compiled'> & {
  readonly environment: string
  /** Notes a run whose transaction is rolled back, once it was. */
  readonly noteFailed: (run: RunToNote) => void
}

/**
 * An automation as a handler: what its steps store, the messages it forwards and its trace are committed together with the event, or
 * not at all. So each event has its effect once, whatever crashes in between.
 */
export function automationHandler<Tx>(
  name: string,
  automation: Automation,
  { environment, noteFailed, ...parts }: AutomationHandlerParts,
): Handler<Tx> {
  return async (event, context) => {
    const startedAt = performance.now()
    const { signal, respond } = context
    const run = await runSteps({
      ...parts,
      name,
      automation,
      scope: scopeOf(event),
      receiptId: event.receiptId,
      effects: context,
      respond: (answer) => respond({ ...answer, headers: answer.headers }),
      signal,
    })
    const noted = noteOf({ environment, name, event, context, tookMilliseconds: performance.now() - startedAt }, run)
    if (run.outcome !== 'failed') return transactionOf(context).noteAutomationRun(noted)
    if (!context.isPreview) noteFailed(noted)
    throw run.error
  }
}

type Noted<Tx> = {
  readonly environment: string
  readonly name: string
  readonly event: WebhookEvent
  readonly context: Pick<HandlerContext<Tx>, 'attempt'>
  readonly tookMilliseconds: number
}

function noteOf<Tx>(
  { environment, name, event, context, tookMilliseconds }: Noted<Tx>,
  { outcome, steps, error }: Awaited<ReturnType<typeof runSteps>>,
): RunToNote {
  return {
    environment,
    automation: name,
    source: event.source,
    eventId: event.id,
    receiptId: event.receiptId,
    attempt: context.attempt,
    outcome,
    error: error === undefined ? undefined : describeError(error),
    tookMilliseconds: Math.round(tookMilliseconds * 100) / 100,
    steps: JSON.stringify(steps),
  }
}
