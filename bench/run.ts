// npm run bench: see docs/benchmarks.md.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type BenchArguments, readArguments, usage } from './arguments.ts'
import { readEarlier } from './earlier.ts'
import { describeMachine, isBusy, type Machine } from './machine.ts'
import type { Measurement } from './measurements.ts'
import { drawPicture, type Panel } from './picture.ts'
import { publish } from './publish.ts'
import { createReporter } from './report.ts'
import type { Section } from './section.ts'
import { allSections } from './sections/all.ts'
import { door } from './sections/door.ts'
import { inline } from './sections/inline.ts'
import { worker } from './sections/worker.ts'
import type { Settings } from './settings.ts'
import { prepareStage, type Stage } from './stage.ts'
import { tablesOf, targetTable } from './tables.ts'
import { checkTargets } from './targets.ts'

const panels: readonly Panel[] = [
  { section: door, scene: '64 connections', title: 'Deliveries accepted per second, 64 connections' },
  { section: inline, scene: '64 connections', title: 'Inline handlers per second, 64 connections' },
  { section: worker, scene: 'one process', title: 'Queued events worked off per second' },
]

const reporter = createReporter(process.stdout, process.env)
const sectionNames = allSections.map(({ name }) => name)

try {
  const given = process.argv.slice(2)
  if (given.includes('--help')) reporter.line(usage.replace('SECTIONS', sectionNames.join(', ')))
  else await main(readArguments(given, sectionNames))
} catch (error) {
  reporter.problem(messageOf(error))
  process.exitCode = 1
}

type Outcome = {
  readonly settings: Settings
  readonly machine: Machine
  readonly sections: readonly Section[]
  readonly measurements: readonly Measurement[]
}

async function main(options: BenchArguments): Promise<void> {
  if (isBusy()) reporter.line('Other programs are busy on this machine: ratios may hold, figures will not.')
  const stage = await prepareStage(options.build, reporter.say)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  try {
    const isQuick = options.settings.name === 'quick'
    const chosen = allSections.filter(
      ({ name, isFullOnly = false }) => options.only?.includes(name) ?? !(isQuick && isFullOnly),
    )
    const earlier = options.isAdded ? await readEarlier(pathOf('results.json'), options.settings) : []
    const measurements = earlier.filter(({ section }) => !chosen.some(({ name }) => name === section))
    const failed: string[] = []
    const machine = await describeMachine(stage)
    for (const section of chosen) {
      // What the other sections found is not lost by it.
      await runSection(section, stage, options, measurements).catch((error: unknown) => {
        failed.push(section.name)
        reporter.problem(`${section.name} failed: ${messageOf(error)}`)
      })
      // An hour is long: what was measured is there even if the rest never is.
      await saveResults({ settings: options.settings, machine, measurements })
    }
    const sections = allSections.filter(({ name }) => measurements.some(({ section }) => section === name))
    const outcome: Outcome = { settings: options.settings, machine, sections, measurements }
    await conclude(outcome)
    if (failed.length > 0) throw new Error(`The benchmark is not complete: ${failed.join(', ')} failed.`)
    if (options.isPublished) await publishOutcome(outcome)
  } finally {
    await stage.close()
  }
}

async function runSection(
  section: Section,
  stage: Stage,
  { settings }: BenchArguments,
  measurements: Measurement[],
): Promise<void> {
  reporter.heading(section.title)
  await section.run({
    stage,
    settings,
    say: (what) => reporter.say(`${section.name}: ${what}`),
    record: (measurement) => void measurements.push({ section: section.name, ...measurement }),
  })
  for (const table of tablesOf(section, measurements)) reporter.table(table)
}

async function saveResults({ settings, machine, measurements }: Omit<Outcome, 'sections'>): Promise<void> {
  const results = JSON.stringify({ at: new Date().toISOString(), machine, settings, measurements }, undefined, 2)
  await writeFile(pathOf('results.json'), `${results}\n`)
}

/** Whether the targets are met. */
async function conclude({ measurements }: Outcome): Promise<void> {
  const targets = targetTable(checkTargets(measurements))
  if (targets.rows.length > 0) {
    reporter.heading(targets.title)
    reporter.table(targets)
  }
  const picture = drawPicture(panels, measurements)
  if (picture !== undefined) await writeFile(pathOf('results.svg'), picture)
  reporter.line(`Written: bench/results.json${picture === undefined ? '' : ' and bench/results.svg'}`)
}

/** Table and picture for the documentation. */
async function publishOutcome({ settings, machine, sections, measurements }: Outcome): Promise<void> {
  await publish({
    machine,
    settings,
    sections: sections.map((section) => ({ title: section.title, tables: tablesOf(section, measurements) })),
    targets: targetTable(checkTargets(measurements)),
    picture: drawPicture(panels, measurements),
  })
  reporter.line('Written: docs/benchmarks.md and its picture')
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
