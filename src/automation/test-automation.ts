import { createHandlerEffects } from '../effects/handler-effects.ts'
import type { Processing } from '../effects/processing.ts'
import { createWebhookEvent } from '../effects/webhook-event.ts'
import { describeError } from '../errors.ts'
import type { Automation, RunOutcome, StepTrace } from './automation.ts'
import { type CapturedRequest, captureSource } from './capture-source.ts'
import type { RunningAutomations } from './create-automations.ts'
import { scopeOf } from './event-scope.ts'
import { forwardTarget } from './forward-message.ts'
import { runSteps } from './run-steps.ts'
import type { Scope } from './scope.ts'

/** What an automation is tried out on. */
export type TestInput = { readonly receiptId: string } | { readonly capture: CapturedRequest }

export type TestParts<Tx> = {
  readonly name: string
  readonly automation: Automation
  readonly input: TestInput
  readonly processing: Pick<Processing<Tx>, 'store' | 'readDocumentOf'>
  readonly environment: string
  readonly running: Pick<RunningAutomations, 'runCode' | 'compiled'>
}

export type TestRun = {
  readonly outcome: RunOutcome
  readonly error: string | undefined
  readonly steps: readonly StepTrace[]
}

/** Runs the steps as for the event, in a transaction that is always rolled back. Undefined if there is no such event. */
export async function testAutomation<Tx>(parts: TestParts<Tx>): Promise<TestRun | undefined> {
  const { name, automation, processing, environment, running } = parts
  const subject =
    'capture' in parts.input ? subjectOfCapture(parts.input.capture) : await subjectOf(parts, parts.input.receiptId)
  if (subject === undefined) return undefined
  const { receiptId, source, eventId, scope } = subject
  let run: TestRun | undefined
  const rollBack = new Error('A test is always rolled back.')
  await processing.store
    .transaction(async ({ effects }) => {
      const targets = new Set([forwardTarget])
      const handler = `automation:${name}`
      const own = { environment, source, eventId, receiptId, handler, targets, traceparent: undefined }
      const { outcome, steps, error } = await runSteps({
        ...running,
        name,
        automation,
        scope,
        receiptId,
        effects: createHandlerEffects(effects, own).functions,
        respond: undefined,
        signal: new AbortController().signal,
      })
      run = { outcome, steps, error: error === undefined ? undefined : describeError(error) }
      throw rollBack
    })
    .catch((error: unknown) => {
      // What failed inside of the steps is told by the run.
      if (run === undefined) throw error
    })
  return run
}

type Subject = { readonly receiptId: string; readonly source: string; readonly eventId: string; readonly scope: Scope }

async function subjectOf<Tx>(
  { processing: { store, readDocumentOf }, environment }: TestParts<Tx>,
  receiptId: string,
): Promise<Subject | undefined> {
  const [receipt] = await store.findReceipts(environment, { id: receiptId, limit: 1 })
  const stored = receipt === undefined ? undefined : await store.readReceipt(environment, receiptId)
  if (receipt === undefined || stored === undefined) return undefined
  const { source, eventId, receivedAt } = receipt
  const event = createWebhookEvent({ ...stored, source, receiptId, receivedAt, readDocument: readDocumentOf(source) })
  return { receiptId, source, eventId, scope: scopeOf(event) }
}

function subjectOfCapture({ id, endpoint, headers, body, method, path, query }: CapturedRequest): Subject {
  const event = createWebhookEvent({
    source: captureSource,
    event: { id, type: endpoint },
    receiptId: '0',
    receivedAt: new Date(),
    body: { content: body, headers: headers.map(([name, value]) => [name.toLowerCase(), value] as const) },
    bodyId: '',
    readDocument: undefined,
  })
  const scope = { ...scopeOf(event), request: { method, path, query } }
  return { receiptId: '0', source: captureSource, eventId: id, scope }
}
