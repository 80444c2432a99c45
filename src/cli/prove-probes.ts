import { commandAsker } from '../prover/probes/command-asker.ts'
import { type Asker, countingProbe, type Probe, type StateProbe } from '../prover/probes/probe.ts'
import { sqlAsker } from '../prover/probes/sql-asker.ts'
import { urlAsker } from '../prover/probes/url-asker.ts'
import { wrongUsage } from './failure.ts'

type Values = Readonly<
  Partial<
    Record<
      'probe-sql' | 'probe-url' | 'probe-command' | 'state-sql' | 'state-url' | 'state-command' | 'database',
      string | undefined
    >
  >
>

/** What the options ask for. */
export type OpenedProbes = {
  readonly probe: Probe | undefined
  readonly countsBy: 'event' | 'object' | undefined
  readonly readState: StateProbe | undefined
  readonly close: () => Promise<void>
}

/** Opens the probes that the options name: at most one that counts and one that reads the state. */
export async function openProbes(
  values: Values,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<OpenedProbes> {
  const databaseUrl = values.database ?? environment['DATABASE_URL']
  const counting = await openOne(values, 'probe', databaseUrl)
  const state = await openOne(values, 'state', databaseUrl)
  return {
    probe: counting === undefined ? undefined : countingProbe(counting),
    countsBy: counting?.asksBy,
    readState: state === undefined ? undefined : (subject) => state.ask(subject),
    async close() {
      await Promise.all([counting?.close(), state?.close()])
    },
  }
}

async function openOne(
  values: Values,
  purpose: 'probe' | 'state',
  databaseUrl: string | undefined,
): Promise<Asker | undefined> {
  const [sql, url, command] = [values[`${purpose}-sql`], values[`${purpose}-url`], values[`${purpose}-command`]]
  if ([sql, url, command].filter((given) => given !== undefined).length > 1) {
    throw wrongUsage(`Give one of --${purpose}-sql, --${purpose}-url and --${purpose}-command.`)
  }
  if (url !== undefined) return urlAsker(url)
  if (command !== undefined) return commandAsker(command)
  if (sql === undefined) return undefined
  if (databaseUrl !== undefined && databaseUrl !== '') return sqlAsker(databaseUrl, sql)
  throw wrongUsage(`--${purpose}-sql needs a database: give --database, or set DATABASE_URL.`)
}
