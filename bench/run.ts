// npm run bench: see docs/benchmarks.md.
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type BenchArguments, readArguments, usage } from './arguments.ts'
import { describeMachine, isBusy, type Machine } from './machine.ts'
import type { Measurement } from './measurements.ts'
import { drawPicture, type Panel } from './picture.ts'
import { publishTables } from './publish.ts'
import { createReporter } from './report.ts'
import type { Section } from './section.ts'
import { allSections } from './sections/all.ts'
import { door } from './sections/door.ts'
import { inline } from './sections/inline.ts'
import { worker } from './sections/worker.ts'
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
  reporter.line(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

async function main(options: BenchArguments): Promise<void> {
  if (isBusy()) reporter.line('Other programs are busy on this machine: ratios may hold, figures will not.')
  const stage = await prepareStage(options.build, reporter.say)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  try {
    const measurements: Measurement[] = []
    const sections = allSections.filter(({ name }) => options.only?.includes(name) ?? true)
    for (const section of sections) await runSection(section, stage, options, measurements)
    const workerNode = execFileSync(stage.nodes.worker, ['--version'], { encoding: 'utf8' }).trim()
    await conclude(options, await describeMachine(stage, workerNode), sections, measurements)
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

/** Whether the targets are met, and what is left behind: JSON and a picture always, the page on demand. */
async function conclude(
  { settings, isPublished }: BenchArguments,
  machine: Machine,
  sections: readonly Section[],
  measurements: readonly Measurement[],
): Promise<void> {
  const targets = targetTable(checkTargets(measurements))
  if (targets.rows.length > 0) {
    reporter.heading(targets.title)
    reporter.table(targets)
  }
  const results = JSON.stringify({ at: new Date().toISOString(), machine, settings, measurements }, undefined, 2)
  await writeFile(pathOf('bench/results.json'), `${results}\n`)
  const picture = drawPicture(panels, measurements)
  if (picture !== undefined) await writeFile(pathOf('bench/results.svg'), picture)
  reporter.line('Written: bench/results.json and bench/results.svg')
  if (!isPublished) return
  const shown = sections.map((section) => ({ title: section.title, tables: tablesOf(section, measurements) }))
  await publishTables({ machine, settings, sections: shown, targets })
  if (picture !== undefined) await writeFile(pathOf('docs/benchmarks.svg'), picture)
  reporter.line('Written: docs/benchmarks.md and docs/benchmarks.svg')
}

function pathOf(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url))
}
