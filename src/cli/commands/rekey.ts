import type { RekeyReport } from '../../index.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, jsonOption, storeOptions } from '../common-options.ts'
import { demandedEncryption } from '../encryption.ts'
import { type ExitCode, wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import { chooseStore } from '../open-store.ts'
import { printable } from '../printable.ts'
import { interruption } from '../signals.ts'
import { nameOnly, withStoreInbox } from '../store-inbox.ts'
import { drawFacts } from '../table.ts'

const options = { ...storeOptions, ...environmentOption, ...jsonOption } as const

/** Puts what is stored under another key. */
export const rekeyCommand: Command = asCommand({
  name: 'rekey',
  summary: 'Encrypt what is stored with another key, or what was stored in the clear',
  forms: ['[options]'],
  options,
  examples: ['rekey --database postgres://localhost/app'],
  run: rekey,
})

async function rekey(call: Call<typeof options>): Promise<ExitCode> {
  const { values, positionals, terminal, environment, directory, program } = call
  if (positionals.length > 0) throw wrongUsage(`rekey takes no ${JSON.stringify(positionals[0])}.`)
  const encryption = demandedEncryption(environment)
  const home = homeOf(directory)
  const choice = chooseStore(values, environment, home)
  const place = { choice, home, environment: values.environment ?? 'default', program, encryption }
  const report = await withStoreInbox(place, { any: nameOnly() }, async (inbox) => {
    const [newest] = await inbox.receipts.find({ limit: 1 })
    return inbox.rekey({
      signal: interruption(),
      onProgress: (progress) => terminal.progress(progressText(progress, newest?.id)),
    })
  })
  terminal.progress(undefined)
  if (values.json === true) terminal.print(JSON.stringify(report))
  else show(call, report, encryption.current)
  return report.isComplete && report.unreadable === 0 ? 0 : 1
}

const number = (count: number): string => count.toLocaleString('en')

function progressText(report: RekeyReport, newestId: string | undefined): string {
  const { bodies, messages, results, values, traces, captures, lastReceiptId } = report
  const where = lastReceiptId === undefined ? '' : `receipt ${lastReceiptId} of ${newestId ?? '?'}: `
  const counts = { bodies, messages, results, values, traces, captures }
  return `${where}${Object.entries(counts)
    .map(([name, count]) => `${number(count)} ${name}`)
    .join(', ')}`
}

function show({ terminal }: Call<typeof options>, report: RekeyReport, current: string): void {
  const { bodies, messages, results, values, traces, captures, unreadable, problems, isComplete } = report
  terminal.print(`Now under the key "${current}", and not before:`)
  terminal.print(
    drawFacts([
      ['  bodies', number(bodies)],
      ['  messages', number(messages)],
      ['  results of effects', number(results)],
      ['  values of the datastore', number(values)],
      ['  traces of automations', number(traces)],
      ['  captures', number(captures)],
    ]),
  )
  if (unreadable > 0) {
    terminal.tell(`${number(unreadable)} could not be decrypted and were left as they are. The first of them:`)
    for (const problem of problems) terminal.tell(`  ${printable(problem)}`)
  }
  if (!isComplete) terminal.tell('Stopped. The same command goes on with what is left.')
  else if (unreadable === 0) {
    terminal.print('Nothing is left under another key. Once every process writes with this one, the others can go.')
  }
}
