import { countingProbe } from '../../src/prover/probes/probe.ts'
import { sqlAsker } from '../../src/prover/probes/sql-asker.ts'
import { type ProveOptions, type ProverReport, prove } from '../../src/prover/prove.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { freePort } from '../support/child-servers.ts'

/** The secret of every handler that is judged here. */
const secret = 'whsec_prove'

export type ProverRun = {
  /** The database of the handler, in which it has a schema of its own. */
  readonly databaseUrl: string
  /** What starts the server. */
  readonly command: string
  /** Where it is started. */
  readonly folder?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly countBy?: 'event' | 'object'
  readonly options?: Partial<ProveOptions>
}

/** Runs the prover on a server that it starts itself, with every probe. */
export async function runProver(run: ProverRun): Promise<ProverReport> {
  const { databaseUrl, command, folder = '.', environment = {}, countBy = 'event', options = {} } = run
  const counting = await sqlAsker(databaseUrl, countSql[countBy])
  const state = await sqlAsker(databaseUrl, 'select amount from prove_state where object_id = :object')
  const variables = Object.entries({ DATABASE_URL: databaseUrl, STRIPE_WEBHOOK_SECRET: secret, ...environment })
  const settings = variables.map(([name, value]) => `export ${name}='${value}'`).join('; ')
  try {
    return await prove({
      provider: stripe({ secret }),
      stranger: stripe({ secret: 'whsec_of_somebody_else' }),
      url: `http://127.0.0.1:${await freePort()}/stripe`,
      start: `${settings}; cd '${folder}' && ${command}`,
      probe: countingProbe(counting),
      countsBy: counting.asksBy,
      readState: (subject) => state.ask(subject),
      parentType: 'payment_intent.succeeded',
      childType: 'charge.refunded',
      lateSeconds: 1.3,
      patienceSeconds: 8,
      recoverySeconds: 8,
      ...options,
    })
  } finally {
    await Promise.all([counting.close(), state.close()])
  }
}

const countSql = {
  event: 'select count(*) from prove_effects where event_id = :event',
  object: 'select count(*) from prove_effects where object_id = :object',
}

/** An address of the database that leads into one schema, for any client of PostgreSQL. */
export function databaseIn(url: string, schema: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c search_path=${schema}`)}`
}

/** Failed scenarios with their causes; why it could not run, if it could not. */
export function failuresOf({ verdict, why, scenarios }: ProverReport): Readonly<Record<string, string>> {
  if (verdict === 'could_not_run') return { 'could not run': why ?? '' }
  return Object.fromEntries(
    scenarios.flatMap(({ name, status, cause }) => (status === 'failed' ? [[name, cause?.name ?? '']] : [])),
  )
}
