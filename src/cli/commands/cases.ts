import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readCases } from '../../capture/cases/case-folder.ts'
import type { CaseResult } from '../../capture/cases/run-case.ts'
import { casesJunit, casesText } from '../case-texts.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { jsonOption, storeOptions } from '../common-options.ts'
import { type ExitCode, failed, sentenceOf, wrongUsage } from '../failure.ts'
import { openCaseRunner } from '../run-cases.ts'

const options = {
  url: {
    type: 'string',
    value: 'address',
    meaning: 'where they are sent; {source} is replaced. Default: to the inbox of oncehook.config.ts, in this process',
  },
  only: { type: 'string', value: 'names', meaning: 'only these cases; several with commas' },
  junit: { type: 'string', value: 'file', meaning: 'write the results as JUnit XML' },
  ...storeOptions,
  ...jsonOption,
} as const

/** Runs cases that were made of captures. */
export const casesCommand: Command = asCommand({
  name: 'cases',
  summary: 'Send saved requests again, and check answers and database rows: for CI, offline',
  forms: ['[folder] [options]'],
  options,
  examples: [
    'cases',
    'cases test/cases --junit report.xml',
    'cases --url http://127.0.0.1:3000/webhooks/{source} --database postgres://localhost/app',
    'cases --only invoice-paid --json',
  ],
  run: cases,
})

async function cases(call: Call<typeof options>): Promise<ExitCode> {
  const { values, positionals, terminal, directory } = call
  const [folder = 'cases', unexpected] = positionals
  if (unexpected !== undefined) throw wrongUsage(`cases takes one folder, and no ${JSON.stringify(unexpected)}.`)
  const all = await readCases(resolve(directory, folder))
  if (all === undefined) throw wrongUsage(`There is no folder ${folder}.`)
  const names = values.only?.split(',').map((name) => name.trim())
  const chosen = names === undefined ? all : all.filter(({ file }) => names.includes(file.replace(/\.json$/, '')))
  const missing = names?.find((name) => !all.some(({ file }) => file === `${name}.json`))
  if (missing !== undefined) throw wrongUsage(`There is no case ${missing} in ${folder}.`)
  if (chosen.length === 0) throw failed(`There are no cases in ${folder}: make some with "captures save".`)

  const results: CaseResult[] = []
  const runner = await openCaseRunner(call)
  try {
    for (const [index, found] of chosen.entries()) {
      terminal.progress(`case ${index + 1} of ${chosen.length}: ${found.file}`)
      results.push(await runner.run(found))
    }
  } finally {
    terminal.progress(undefined)
    await runner.close()
  }
  if (values.junit !== undefined) await write(resolve(directory, values.junit), casesJunit(results))
  if (values.json === true) terminal.print(JSON.stringify({ results }))
  else terminal.print(casesText(results, terminal.paint))
  return results.every(({ outcome }) => outcome === 'passed') ? 0 : 1
}

async function write(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error: unknown) => {
    throw wrongUsage(`The report cannot be written. ${sentenceOf(error)}`)
  })
}
