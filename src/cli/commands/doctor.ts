import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, jsonOption, storeOptions } from '../common-options.ts'
import type { AppSettings, RedisUse } from '../doctor/check.ts'
import { diagnosisText } from '../doctor/doctor-texts.ts'
import { type Diagnosis, examine } from '../doctor/examine.ts'
import { readRedisFacts } from '../doctor/redis-facts.ts'
import { findSecrets } from '../doctor/secrets.ts'
import { type ExitCode, exitCodeOf, sentenceOf, wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import { withLedger } from '../open-ledger.ts'
import { chooseStore } from '../open-store.ts'
import { wholeNumber } from '../parse-arguments.ts'

const options = {
  pool: { type: 'string', value: 'n', meaning: 'connections in the pool of each process of the app; default 10' },
  concurrency: { type: 'string', value: 'n', meaning: 'worker.concurrency of the app; default 4' },
  processes: { type: 'string', value: 'n', meaning: 'how many processes of the app there are; default 1' },
  redis: { type: 'string', value: 'url', meaning: 'look at this Redis too' },
  'redis-for': {
    type: 'string',
    value: 'use',
    meaning: 'what it is for: cache (default), or messages (streams and BullMQ)',
  },
  ...storeOptions,
  ...environmentOption,
  ...jsonOption,
} as const

/** Looks for what is wrong. */
export const doctorCommand: Command = asCommand({
  name: 'doctor',
  summary: 'Look for what is wrong with the database, the set-up and the secrets, and say what to do',
  forms: ['[options]'],
  options,
  examples: ['doctor', 'doctor --pool 20 --concurrency 8 --processes 4', 'doctor --json'],
  run: doctor,
})

/** 0 if nothing was found, 1 if something was, 2 if the database could not be asked. */
async function doctor(call: Call<typeof options>): Promise<ExitCode> {
  const { values, positionals, terminal } = call
  if (positionals.length > 0) throw wrongUsage(`doctor takes no ${JSON.stringify(positionals[0])}.`)
  let diagnosis: Diagnosis
  try {
    diagnosis = await diagnose(call)
  } catch (error) {
    if (exitCodeOf(error) === 2) throw error
    terminal.tell(`oncehook: ${sentenceOf(error)}`)
    return 2
  }
  const isHealthy = diagnosis.findings.length === 0
  if (values.json === true) terminal.print(JSON.stringify({ healthy: isHealthy, ...diagnosis }))
  else terminal.print(diagnosisText(diagnosis, terminal.paint))
  return isHealthy ? 0 : 1
}

async function diagnose({ values, environment, directory, program }: Call<typeof options>): Promise<Diagnosis> {
  const app = appOf(values)
  const use = useOf(values['redis-for'])
  const address = redisAddress(values.redis)
  const home = homeOf(directory)
  const choice = chooseStore(values, environment, home)
  const name = values.environment ?? 'default'
  const secrets = await findSecrets({ environment, stage: name, directory, home })
  const redis = address === undefined ? undefined : { use, facts: await readRedisFacts(address) }
  return withLedger({ choice, home, environment: name, program }, (ledger) =>
    examine(ledger, { program, environment: name, secrets, redis, app }),
  )
}

function appOf(values: { readonly [Name in 'pool' | 'concurrency' | 'processes']?: string | undefined }): AppSettings {
  const poolSize = wholeNumber('pool', values.pool, { atLeast: 1, atMost: 10_000 }) ?? 10
  return {
    poolSize,
    // As an inbox chooses it by itself.
    concurrency:
      wholeNumber('concurrency', values.concurrency, { atLeast: 1, atMost: 1000 }) ??
      Math.max(1, Math.min(4, poolSize - 2)),
    processes: wholeNumber('processes', values.processes, { atLeast: 1, atMost: 100_000 }) ?? 1,
  }
}

function useOf(text: string | undefined): RedisUse {
  if (text === undefined || text === 'cache') return 'cache'
  if (text === 'messages') return text
  throw wrongUsage(`--redis-for knows no ${JSON.stringify(text)}: give cache or messages.`)
}

/** The address may hold a password, so it is not repeated. */
function redisAddress(text: string | undefined): string | undefined {
  if (text === undefined || (/^rediss?:\/\//.test(text) && URL.canParse(text))) return text
  throw wrongUsage('--redis is not the address of a Redis: it has to start with redis:// or rediss://.')
}
