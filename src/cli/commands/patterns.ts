import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, jsonOption, storeOptions } from '../common-options.ts'
import { parseMoment } from '../duration.ts'
import { wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import { withLedger } from '../open-ledger.ts'
import { chooseStore } from '../open-store.ts'
import { patternsTable, patternText } from '../pattern-texts.ts'

const options = {
  since: { type: 'string', value: 'time', meaning: 'copies since then: ISO 8601, or ago as in 15m, 2h; default 7d' },
  ...storeOptions,
  ...environmentOption,
  ...jsonOption,
} as const

/** Shows how events come again. */
export const patternsCommand: Command = asCommand({
  name: 'patterns',
  summary: 'Look at retries: how often events come again, after how long, and why',
  forms: ['[source] [options]'],
  options,
  examples: ['patterns', 'patterns stripe --since 24h'],
  run: patterns,
})

async function patterns(call: Call<typeof options>): Promise<0> {
  const { values, positionals, terminal, environment, directory, program } = call
  const [source, unexpected] = positionals
  if (unexpected !== undefined) throw wrongUsage(`patterns takes one source, and no ${JSON.stringify(unexpected)}.`)
  const since = sinceOf(values.since ?? '7d', new Date())
  const home = homeOf(directory)
  const place = {
    choice: chooseStore(values, environment, home),
    home,
    environment: values.environment ?? 'default',
    program,
  }
  const filter = { since, ...(source !== undefined && { source }) }
  const found = await withLedger(place, (ledger) => ledger.retryPatterns(filter))

  if (values.json === true) terminal.print(JSON.stringify(found))
  else if (found.length === 0) terminal.tell(`Nothing${source === undefined ? '' : ` of ${source}`} came twice.`)
  else if (source === undefined) terminal.print(patternsTable(found, terminal.paint))
  else for (const pattern of found) terminal.print(patternText(pattern, terminal.paint))
  if (found.some(({ isComplete }) => !isComplete)) {
    terminal.tell('There are more copies than were looked at; these are the newest. For all, give a later --since.')
  }
  if (found.length > 0 && source === undefined && values.json !== true) {
    terminal.tell(`\nFor one of them, drawn: ${program} patterns <source>`)
  }
  return 0
}

function sinceOf(text: string, now: Date): Date {
  const since = parseMoment(text, now)
  if (since !== undefined) return since
  throw wrongUsage(
    `--since is ${JSON.stringify(text)}: give a time such as 2026-01-31T12:00:00Z, or how long ago: 15m, 2h, 7d.`,
  )
}
