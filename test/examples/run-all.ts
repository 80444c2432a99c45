// Runs the examples as a user would: the packed package, everything else from the registry, their own tests, and the prover with every scenario.
// `npm run test:examples -- --only express-pg-github,init` runs only these.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { drawTable } from '../../src/cli/table.ts'
import { startPostgresServer } from '../support/postgres-server.ts'
import { examples } from './example-list.ts'
import { runCommand } from './run-command.ts'
import { runExample } from './run-example.ts'
import { runInit } from './run-init.ts'
import type { Bench, Step } from './workbench.ts'

const root = resolve(import.meta.dirname, '../..')
const { values } = parseArgs({ options: { only: { type: 'string' }, keep: { type: 'boolean' } } })
const known = [...examples.map(({ name }) => name), 'init']
const chosen = values.only?.split(',') ?? known
const unknown = chosen.find((name) => !known.includes(name))
if (unknown !== undefined) throw new Error(`There is no ${unknown}. There are: ${known.join(', ')}.`)

const folder = mkdtempSync(join(tmpdir(), 'oncehook-examples-'))
const server = await startPostgresServer()
const steps: Step[] = []
try {
  const bench: Bench = { folder, tarball: await packPackage(), serverUrl: server.url, note }
  for (const example of examples.filter(({ name }) => chosen.includes(name))) await runExample(bench, example)
  if (chosen.includes('init')) await runInit(bench)
} finally {
  await server.stop()
  if (values.keep === true) console.log(`Everything is in ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}
const failed = steps.filter(({ isPassed }) => !isPassed)
for (const { name, step, output } of failed) console.log(`\n✗ ${name}: ${step}\n${output}`)
console.log(`\n${summary()}\n\n${steps.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length === 0 && steps.length > 0 ? 0 : 1

async function packPackage(): Promise<string> {
  const built = await runCommand(['npm', 'run', '--silent', 'build'], { folder: root })
  if (built.code !== 0) throw new Error(built.output)
  const { code, output } = await runCommand(
    ['npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder],
    { folder: root },
  )
  const file = /oncehook-.*\.tgz/.exec(output)?.[0]
  if (code !== 0 || file === undefined) throw new Error(output)
  return join(folder, file)
}

function note(step: Step): void {
  steps.push(step)
  console.log(`${step.isPassed ? '✓' : '✗'} ${step.name}: ${step.step} (${step.seconds.toFixed(0)} s)`)
}

function summary(): string {
  const rows = steps.map(({ name, step, isPassed, seconds }) => [
    name,
    step,
    isPassed ? 'passed' : 'FAILED',
    `${seconds.toFixed(1)} s`,
  ])
  return drawTable(
    [{ title: 'project' }, { title: 'step' }, { title: 'result' }, { title: 'took', align: 'right' }],
    rows,
  )
}
