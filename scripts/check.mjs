// The one gate: every step is a script of package.json, run in order, one line each, and the output of those that fail.
//
//   node scripts/check.mjs                  all steps
//   node scripts/check.mjs format lint      only these
//   node scripts/check.mjs --json           a summary for machines instead of text
//
// The last line of text is `N passed, N failed`: each test counts as one, and so does each step that is not a test run.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** A step that takes longer than its limit hangs: it is stopped and has failed. All together take less than 15 minutes on two cores. */
const allSteps = [
  { name: 'format', script: 'check:format', limitMinutes: 1 },
  { name: 'types', script: 'check:types', limitMinutes: 1 },
  { name: 'lint', script: 'check:lint', limitMinutes: 1 },
  { name: 'unused', script: 'check:unused', limitMinutes: 1 },
  { name: 'build', script: 'build', limitMinutes: 1 },
  { name: 'tests', script: 'check:tests', limitMinutes: 20, countsTests: true },
  { name: 'package', script: 'check:package', limitMinutes: 4, countsTests: true, needs: 'build' },
]

const { steps, isJson } = readArguments(process.argv.slice(2))
const isTerminal = process.stdout.isTTY && !isJson
const hasColour = isTerminal && process.env.NO_COLOR === undefined
const scratch = mkdtempSync(join(tmpdir(), 'oncehook-check-'))
let running

process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (running !== undefined) stopGroup(running)
    process.exit(130)
  })
}

const results = []
for (const step of steps) {
  const isBlocked = results.some((result) => result.name === step.needs && result.status === 'failed')
  if (isTerminal && !isBlocked) process.stdout.write(`… ${step.name}`)
  const result = isBlocked ? skipped(step) : await run(step)
  results.push(result)
  if (!isJson) report(result)
}

const passed = sum(results, ({ passed }) => passed)
const failed = sum(results, ({ failed }) => failed)
const seconds = round(sum(results, (result) => result.seconds))
const isGood = results.every(({ status }) => status === 'passed')
if (isJson) {
  console.log(JSON.stringify({ ok: isGood, passed, failed, seconds, steps: results }, undefined, 2))
} else {
  console.log(`\n${isGood ? 'All good' : `Failed: ${namesOfFailed().join(', ')}`} after ${seconds.toFixed(1)} s`)
  console.log(`${passed} passed, ${failed} failed`)
}
process.exitCode = isGood ? 0 : 1

function readArguments(given) {
  const names = given.filter((argument) => argument !== '--json')
  const unknown = names.filter((name) => !allSteps.some((step) => step.name === name))
  if (unknown.length > 0) {
    const known = allSteps.map(({ name }) => name).join(', ')
    console.error(`There is no step ${unknown.join(', ')}. Steps: ${known}. The only option is --json.`)
    process.exit(2)
  }
  const chosen = allSteps.filter(({ name }) => names.length === 0 || names.includes(name))
  return { steps: chosen, isJson: given.includes('--json') }
}

async function run(step) {
  const reportFile = join(scratch, `${step.name}.json`)
  const extra = step.countsTests ? ` --reporter=default --reporter=json --outputFile.json="${reportFile}"` : ''
  const startedAt = performance.now()
  const { exitCode, output } = await execute(scripts[step.script] + extra, step.limitMinutes)
  const counts = step.countsTests ? countTests(reportFile, exitCode) : countStep(exitCode)
  return {
    name: step.name,
    command: scripts[step.script],
    status: counts.failed === 0 ? 'passed' : 'failed',
    seconds: round((performance.now() - startedAt) / 1000),
    ...counts,
    ...(counts.failed === 0 ? {} : { output }),
  }
}

function skipped(step) {
  const output = `not run, because ${step.needs} failed`
  return { name: step.name, command: scripts[step.script], status: 'skipped', seconds: 0, passed: 0, failed: 0, output }
}

/** Runs a command line as npm would: with the package's own binaries in the path. */
function execute(command, limitMinutes) {
  return new Promise((resolve) => {
    const child = spawn(command, {
      cwd: root,
      shell: true,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment(),
    })
    const chunks = []
    const finish = (exitCode) => {
      clearTimeout(timer)
      running = undefined
      resolve({ exitCode, output: Buffer.concat(chunks).toString('utf8').trimEnd() })
    }
    const timer = setTimeout(() => {
      chunks.push(Buffer.from(`\nStopped: it took longer than ${limitMinutes} minutes.`))
      stopGroup(child)
    }, limitMinutes * 60_000)
    running = child
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => {
      chunks.push(Buffer.from(String(error)))
      finish(1)
    })
    child.on('close', (code) => finish(code ?? 1))
  })
}

function environment() {
  const { FORCE_COLOR: _, NO_COLOR: __, ...inherited } = process.env
  const colour = hasColour ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }
  return { ...inherited, ...colour, PATH: join(root, 'node_modules', '.bin') + delimiter + process.env.PATH }
}

/** Each step leads a process group of its own, so that what it started ends with it. */
function stopGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended by itself in the meantime.
  }
}

function countStep(exitCode) {
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** A file that cannot be loaded, and a run that fails without a failing test, count as one failure each. */
function countTests(reportFile, exitCode) {
  if (!existsSync(reportFile)) return { passed: 0, failed: 1, ignored: 0 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(reportFile, 'utf8'),
  )
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const failed = numFailedTests + brokenFiles.length
  const ignored = numPendingTests + numTodoTests
  return { passed: numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed, ignored }
}

function report({ name, status, seconds, passed, failed, ignored, output }) {
  const mark = { passed: green('✓'), failed: red('✗'), skipped: '–' }[status]
  const counts =
    ignored === undefined ? '' : `${passed} passed, ${failed} failed${ignored > 0 ? `, ${ignored} skipped` : ''}`
  const detail = status === 'skipped' ? output : counts
  const line = `${mark} ${name.padEnd(8)} ${seconds.toFixed(1).padStart(6)} s  ${detail}`.trimEnd()
  console.log(isTerminal ? `\r\u001b[K${line}` : line)
  if (status === 'failed') console.log(`\n${output}\n`)
}

function namesOfFailed() {
  return results.filter(({ status }) => status === 'failed').map(({ name }) => name)
}

function sum(list, numberOf) {
  return list.reduce((total, item) => total + numberOf(item), 0)
}

function round(number) {
  return Math.round(number * 10) / 10
}

function green(text) {
  return hasColour ? `\u001b[32m${text}\u001b[39m` : text
}

function red(text) {
  return hasColour ? `\u001b[31m${text}\u001b[39m` : text
}
