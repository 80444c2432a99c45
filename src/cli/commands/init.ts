import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { asCommand, type Call, type Command } from '../command.ts'
import { jsonOption } from '../common-options.ts'
import { failed, wrongUsage } from '../failure.ts'
import { chooseProvider } from '../init/choose-provider.ts'
import { frameworkNames } from '../init/framework-template.ts'
import { diffText, nextText, projectText } from '../init/init-texts.ts'
import { makePlan, type Plan } from '../init/plan.ts'
import { inspectProject, type Project, testRunners } from '../init/project.ts'
import { storeNames } from '../init/store-template.ts'
import { writeChanges } from '../init/write-changes.ts'

const options = {
  provider: { type: 'string', value: 'name', meaning: 'whose webhooks; default stripe' },
  framework: { type: 'string', value: 'name', meaning: `default what package.json says: ${frameworkNames.join(', ')}` },
  orm: { type: 'string', value: 'name', meaning: `default what package.json says: ${storeNames.join(', ')}` },
  test: { type: 'string', value: 'runner', meaning: `default what package.json says: ${testRunners.join(', ')}` },
  sql: {
    type: 'boolean',
    meaning: "write the SQL of Oncehook's own tables too, for those who run migrations themselves",
  },
  install: { type: 'boolean', meaning: 'install what is missing' },
  yes: { type: 'boolean', meaning: 'write without asking' },
  'dry-run': { type: 'boolean', meaning: 'only show what would be written' },
  ...jsonOption,
} as const

type InitCall = Call<typeof options>

/** Puts webhooks into a project. */
export const initCommand: Command = asCommand({
  name: 'init',
  summary: 'Put webhooks into this project: an inbox, a route, a migration and a test, shown before they are written',
  forms: ['[options]'],
  options,
  examples: [
    'init',
    'init --provider github --dry-run',
    'init --provider stripe --framework express --orm drizzle --yes --install',
  ],
  run: init,
})

async function init(call: InitCall): Promise<0> {
  const { values, positionals, terminal, directory, program } = call
  if (positionals.length > 0) throw wrongUsage(`init takes no ${JSON.stringify(positionals[0])}.`)
  if (values.yes === true && values['dry-run'] === true) throw wrongUsage('Give --yes or --dry-run, not both.')
  const project = withChoices(inspectProject(directory), values)
  const provider = await chooseProvider(await providerName(call))
  const plan = makePlan(project, { provider, migrations: values.sql === true ? 'manual' : 'automatic' })
  const isPending = plan.changes.some(({ kind }) => kind !== 'there')
  const say = values.json === true ? terminal.tell : terminal.print
  if (values.json !== true) showPlan(call, { project, plan, provider: provider.name })

  const isWritten = isPending && values['dry-run'] !== true && (await isWanted(call))
  if (isWritten) writeChanges(directory, plan.changes)
  const isInstalled = isWritten || !isPending ? await installed(call, plan) : false

  if (values.json === true)
    terminal.print(JSON.stringify(reportOf({ project, plan, provider: provider.name, isWritten, isInstalled })))
  else if (values['dry-run'] === true) say('\nNothing was written.')
  else if (isWritten || !isPending)
    say(
      `\n${isPending ? 'Written. ' : ''}What is left to do:\n\n${nextText(plan, project, { isInstalled, program, provider: provider.name })}`,
    )
  else say('\nNothing was written.')
  return 0
}

function showPlan(
  { terminal }: InitCall,
  { project, plan, provider }: { project: Project; plan: Plan; provider: string },
): void {
  const { print, paint } = terminal
  print(projectText(project, provider))
  if (project.otherDatabase !== undefined) {
    print(
      paint(
        'yellow',
        `\nThis project speaks ${project.otherDatabase}. Receipts need a PostgreSQL, and only what is written there commits with them.`,
      ),
    )
  }
  const there = plan.changes.filter(({ kind }) => kind === 'there')
  const diff = diffText(plan.changes, paint)
  print(diff === '' ? '\nEverything is there already.' : `\n${diff}`)
  if (diff !== '' && there.length > 0)
    print(`\nThere already, and left alone: ${there.map(({ path }) => path).join(', ')}`)
}

/** Asks somebody; where nobody is, only --yes is a yes. */
async function isWanted({ values, terminal }: InitCall): Promise<boolean> {
  if (values.yes === true) return true
  if (!terminal.isInteractive || values.json === true) {
    throw failed('Nothing was written: nobody is here to be asked. Give --yes to write, or --dry-run to look.')
  }
  return terminal.confirm('\nWrite these files?')
}

async function providerName({ values, terminal }: InitCall): Promise<string> {
  if (values.provider !== undefined) return values.provider
  const isAsked = terminal.isInteractive && values.yes !== true && values.json !== true
  return isAsked ? terminal.ask('Whose webhooks are to come?', 'stripe') : 'stripe'
}

function withChoices(project: Project, values: InitCall['values']): Project {
  return {
    ...project,
    framework: oneOf('framework', values.framework, frameworkNames) ?? project.framework,
    store: oneOf('orm', values.orm, storeNames) ?? project.store,
    testRunner: oneOf('test', values.test, testRunners) ?? project.testRunner,
  }
}

function oneOf<Name extends string>(
  option: string,
  given: string | undefined,
  names: readonly Name[],
): Name | undefined {
  if (given === undefined) return undefined
  const found = names.find((name) => name === given)
  if (found === undefined) throw wrongUsage(`--${option} is ${JSON.stringify(given)}: give one of ${names.join(', ')}.`)
  return found
}

/** Runs the commands that install, if that is wanted. True if nothing is missing afterwards. */
async function installed({ values, terminal, directory }: InitCall, { install }: Plan): Promise<boolean> {
  if (install.length === 0) return true
  const isAsked = values.install !== true && terminal.isInteractive && values.yes !== true && values.json !== true
  const shown = install.map((words) => words.join(' ')).join(' && ')
  if (values.install !== true && !(isAsked && (await terminal.confirm(`Run "${shown}"?`)))) return false
  for (const [program = '', ...words] of install) {
    // Their output is for people: standard output may be for a machine.
    const child = spawn(program, words, { cwd: directory, stdio: ['ignore', process.stderr, process.stderr] })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0)
      throw failed(`The files are written, but "${[program, ...words].join(' ')}" failed. Run it once more yourself.`)
  }
  return true
}

type Report = {
  readonly project: Project
  readonly plan: Plan
  readonly provider: string
  readonly isWritten: boolean
  readonly isInstalled: boolean
}

function reportOf({ project, plan, provider, isWritten, isInstalled }: Report): object {
  const { framework, store: orm, language, testRunner, packageManager } = project
  const { changes, install, wiring, testCommand, startCommand, variables } = plan
  return {
    found: { framework, orm, language, testRunner, packageManager },
    provider,
    files: changes,
    install: isInstalled ? [] : install,
    wiring,
    testCommand,
    startCommand,
    variables,
    isWritten,
  }
}
