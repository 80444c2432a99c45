import { writeFile } from 'node:fs/promises'
import { type ProverReport, prove } from '../../prover/prove.ts'
import { htmlReport } from '../../prover/reports/html-report.ts'
import { junitReport } from '../../prover/reports/junit-report.ts'
import { allScenarios } from '../../prover/scenarios/all-scenarios.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { jsonOption } from '../common-options.ts'
import { type ExitCode, sentenceOf, wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import { wholeNumber } from '../parse-arguments.ts'
import { openProbes } from '../prove-probes.ts'
import { endingText, resultLine, scenarioList } from '../prove-texts.ts'
import { providerNames } from '../provider-catalogue.ts'
import { senderFor, strangerFor } from '../sources.ts'

const options = {
  provider: { type: 'string', value: 'name', meaning: 'who would send the events, for example stripe' },
  secret: {
    type: 'string',
    value: 'text',
    meaning: 'what the endpoint verifies with; default $<PROVIDER>_WEBHOOK_SECRET, else ./.oncehook/secrets.json',
  },
  'probe-sql': { type: 'string', value: 'sql', meaning: 'counts effects; :event and :object stand for the ids' },
  'probe-url': { type: 'string', value: 'url', meaning: 'counts effects; {event} and {object} stand for the ids' },
  'probe-command': { type: 'string', value: 'command', meaning: 'counts effects; "$1" is the event, "$2" the object' },
  'state-sql': { type: 'string', value: 'sql', meaning: 'reads what is stored of :object, for scenarios about order' },
  'state-url': { type: 'string', value: 'url', meaning: 'the same by an address' },
  'state-command': { type: 'string', value: 'command', meaning: 'the same by a command' },
  database: { type: 'string', value: 'url', meaning: 'the database of probes in SQL; default $DATABASE_URL' },
  start: {
    type: 'string',
    value: 'command',
    meaning: 'runs the server, which the prover then kills and starts again; it is given PORT',
  },
  type: { type: 'string', value: 'type', meaning: 'the type of the events; default the most typical one' },
  parent: { type: 'string', value: 'type', meaning: 'with --child: an event that the other one needs' },
  child: { type: 'string', value: 'type', meaning: 'with --parent: an event that cannot be processed without it' },
  only: { type: 'string', value: 'names', meaning: 'only these scenarios, with commas' },
  skip: { type: 'string', value: 'names', meaning: 'all but these' },
  list: { type: 'boolean', meaning: 'show the scenarios and what each of them demands' },
  seed: { type: 'string', value: 'text', meaning: 'make the same choices as another run' },
  copies: { type: 'string', value: 'n', meaning: 'how many copies come at once; default 50' },
  kills: { type: 'string', value: 'n', meaning: 'with --start: how often it is killed in its work; default 12' },
  late: { type: 'string', value: 'seconds', meaning: 'how late the late copy is; default 3' },
  deadline: {
    type: 'string',
    value: 'seconds',
    meaning: 'how long the provider waits; default what is known, else 10',
  },
  patience: { type: 'string', value: 'seconds', meaning: 'how long an effect may take; default 10' },
  recovery: { type: 'string', value: 'seconds', meaning: 'how long an effect may take after a crash; default 45' },
  report: { type: 'string', value: 'file', meaning: 'write the report as one HTML page' },
  junit: { type: 'string', value: 'file', meaning: 'write the report as JUnit XML' },
  ...jsonOption,
} as const

type ProveCall = Call<typeof options>

/** Puts an endpoint to the test. */
export const proveCommand: Command = asCommand({
  name: 'prove',
  summary: 'Put any webhook endpoint to the test, and say which promises it breaks',
  forms: ['<url> --provider <name> [options]', '--list'],
  options,
  examples: [
    'prove http://127.0.0.1:3000/webhooks/stripe --provider stripe --secret "$STRIPE_WEBHOOK_SECRET"',
    `prove http://127.0.0.1:3000/stripe --provider stripe --probe-sql 'select count(*) from effects where event_id = :event'`,
    `prove http://127.0.0.1:3000/stripe --provider stripe --start 'node server.js' --probe-sql '…' --report report.html`,
  ],
  run,
})

async function run(call: ProveCall): Promise<ExitCode> {
  const { values, positionals, terminal } = call
  if (values.list === true) {
    terminal.print(values.json === true ? JSON.stringify(allScenarios.map(described)) : scenarioList(allScenarios))
    return 0
  }
  const [url, unexpected] = positionals
  if (url === undefined) throw wrongUsage('Which endpoint? Give its address.')
  if (unexpected !== undefined) throw wrongUsage(`prove takes one address, and no ${JSON.stringify(unexpected)}.`)
  const report = await proveEndpoint(call, url)
  terminal.progress(undefined)
  await writeReports(values, report)
  if (values.json === true) terminal.print(JSON.stringify(report))
  else terminal.print(endingText(report, terminal.paint))
  if (values.json !== true && values.report !== undefined) terminal.print(`The report is in ${values.report}.`)
  return { safe: 0, unsafe: 1, could_not_run: 2 }[report.verdict] as ExitCode
}

/** Whatever keeps it from running is the same for a script: 2, and never "unsafe". */
async function proveEndpoint(call: ProveCall, url: string): Promise<ProverReport> {
  const { values, terminal, environment, directory } = call
  const name = values.provider
  if (name === undefined) throw wrongUsage(`Which provider? Give --provider. There are: ${providerNames.join(', ')}.`)
  const seconds = (option: 'late' | 'deadline' | 'patience' | 'recovery'): number | undefined =>
    wholeNumber(option, values[option], { atLeast: 1, atMost: 86_400 })
  try {
    const provider = await senderFor(name, { secret: values.secret, home: homeOf(directory), environment })
    const stranger = await strangerFor(name)
    const { probe, countsBy, readState, close } = await openProbes(values, environment)
    try {
      return await prove({
        url,
        provider,
        stranger,
        ...defined({
          probe,
          countsBy,
          readState,
          start: values.start,
          type: values.type,
          parentType: values.parent,
          childType: values.child,
          only: listOf(values.only),
          skip: listOf(values.skip),
          seed: values.seed,
          copies: wholeNumber('copies', values.copies, { atLeast: 2, atMost: 1_000 }),
          kills: wholeNumber('kills', values.kills, { atLeast: 1, atMost: 1_000 }),
          lateSeconds: seconds('late'),
          deadlineSeconds: seconds('deadline'),
          patienceSeconds: seconds('patience'),
          recoverySeconds: seconds('recovery'),
        }),
        onProgress(progress) {
          if (values.json === true) return
          if (progress.kind === 'scenario_started') {
            terminal.progress(`… ${progress.number}/${progress.of} ${progress.name}`)
          } else {
            terminal.progress(undefined)
            terminal.print(resultLine(progress.result, terminal.paint))
          }
        },
      })
    } finally {
      await close()
    }
  } catch (error) {
    throw wrongUsage(sentenceOf(error))
  }
}

async function writeReports({ report: html, junit }: ProveCall['values'], report: ProverReport): Promise<void> {
  try {
    if (html !== undefined) await writeFile(html, htmlReport(report))
    if (junit !== undefined) await writeFile(junit, junitReport(report))
  } catch (error) {
    throw wrongUsage(`The report cannot be written. ${sentenceOf(error)}`)
  }
}

function listOf(text: string | undefined): readonly string[] | undefined {
  return text?.split(',').map((name) => name.trim())
}

/** Without the members that nobody gave. */
function defined<Given extends object>(given: Given): { [Name in keyof Given]?: Exclude<Given[Name], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never
}

function described({ name, group, promise }: (typeof allScenarios)[number]): object {
  return { name, group, promise }
}
