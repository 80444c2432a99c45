/** How a command ends: 0 done, 1 failed, 2 wrongly called. */
export type ExitCode = 0 | 1 | 2

/** An error whose message is the whole story for the person at the terminal. */
export type Failure = Error & { readonly exitCode: 1 | 2 }

/** The command was right, but could not be done. */
export function failed(sentence: string, cause?: unknown): Failure {
  return Object.assign(new Error(sentence, { cause }), { exitCode: 1 as const })
}

/** The command was called in a way that it does not understand. */
export function wrongUsage(sentence: string): Failure {
  return Object.assign(new Error(sentence), { exitCode: 2 as const })
}

/** Which exit code an error of any kind means. */
export function exitCodeOf(error: unknown): 1 | 2 {
  return error instanceof Error && 'exitCode' in error && error.exitCode === 2 ? 2 : 1
}

/** What to say about an error of any kind: its message, and never a stack. */
export function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(sentenceOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** The code of a system error, such as `ECONNREFUSED`, also when it is the cause of another one. */
export function systemCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError) return systemCodeOf(error.errors[0])
  return systemCodeOf(error.cause)
}
