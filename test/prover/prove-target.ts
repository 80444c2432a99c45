import type { ProveOptions, ProverReport } from '../../src/prover/prove.ts'
import { databaseIn, runProver } from './run-prover.ts'
import type { Target } from './targets.ts'

export type TargetRun = {
  readonly target: Target
  /** Where the examples are. */
  readonly folder: string
  readonly database: { readonly url: string; readonly schema: string }
  readonly redisUrl: string | undefined
  readonly options: Partial<ProveOptions>
}

/** Runs the prover on an example, in a schema of its own. */
export function proveTarget({ target, folder, database, redisUrl, options }: TargetRun): Promise<ProverReport> {
  return runProver({
    databaseUrl: databaseIn(database.url, database.schema),
    command: target.command,
    folder,
    environment: {
      ONCEHOOK_SCHEMA: `${database.schema}_oncehook`,
      ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    },
    options,
  })
}
