import type { HandlerEffects } from '../effects/handler.ts'
import type { Automation } from './automation.ts'
import type { RunCode } from './run-code.ts'
import type { Scope } from './scope.ts'

/** What a run works with. */
export type RunParts = {
  readonly name: string
  readonly automation: Automation
  /** The event, as steps name it. */
  readonly scope: Scope
  readonly receiptId: string
  readonly effects: Pick<HandlerEffects, 'datastore' | 'outbox' | 'idempotencyKey'>
  /** Undefined where there is nobody to answer. */
  readonly respond: ((answer: CaptureAnswer) => void) | undefined
  readonly runCode: RunCode
  /** The code of a step as JavaScript. */
  readonly compiled: (code: string) => Promise<string>
  readonly signal: AbortSignal
}

export type CaptureAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What a step says besides what it did. */
export type StepResult = {
  readonly summary: string
  readonly input?: unknown
  readonly output?: unknown
  /** Variables from here on. */
  readonly variables?: Readonly<Record<string, unknown>>
  readonly next?: 'end' | { readonly skip: number }
}
