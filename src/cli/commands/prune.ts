import type { DryRun, PruneReport } from '../../index.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, jsonOption, storeOptions } from '../common-options.ts'
import { type ExitCode, failed, wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import { chooseStore } from '../open-store.ts'
import { printable } from '../printable.ts'
import { interruption } from '../signals.ts'
import { nameOnly, withStoreInbox } from '../store-inbox.ts'
import { drawFacts, drawTable } from '../table.ts'

const options = {
  'dry-run': { type: 'boolean', meaning: 'only say what would be removed' },
  ...storeOptions,
  ...environmentOption,
  ...jsonOption,
} as const

/** Removes what is past its days. */
export const pruneCommand: Command = asCommand({
  name: 'prune',
  summary: 'Remove what is past its days now, by the rules that your app has written down',
  forms: ['[options]'],
  options,
  examples: ['prune --dry-run', 'prune --database postgres://localhost/app'],
  run: prune,
})

async function prune({ values, positionals, terminal, ...call }: Call<typeof options>): Promise<ExitCode> {
  if (positionals.length > 0) throw wrongUsage(`prune takes no ${JSON.stringify(positionals[0])}.`)
  const home = homeOf(call.directory)
  const choice = chooseStore(values, call.environment, home)
  const place = { choice, home, environment: values.environment ?? 'default', program: call.program }
  return withStoreInbox(place, { any: nameOnly() }, async (inbox): Promise<ExitCode> => {
    const signal = interruption()
    const found = await inbox.pruneDryRun({ rules: 'stored', signal })
    if (found.sources.length === 0) {
      throw failed(
        `Nothing is known of how long environment ${place.environment} keeps what: your app writes that down within an hour of its start.`,
      )
    }
    if (values['dry-run'] === true) {
      terminal.print(values.json === true ? JSON.stringify(found) : dryRunText(found))
      return 0
    }
    const total = found.sources.reduce((sum, { receipts }) => sum + receipts, 0)
    const report = await inbox.prune({
      rules: 'stored',
      signal,
      onProgress: (receipts) => terminal.progress(`${number(receipts)} of ${number(total)} receipts removed`),
    })
    terminal.progress(undefined)
    terminal.print(values.json === true ? JSON.stringify(report) : reportText(report))
    if (report.outcome === 'busy')
      terminal.tell('Another process is pruning at this moment, so the rest is left to it.')
    if (report.outcome === 'unfinished') terminal.tell('Some of it was in use. Upkeep removes it later.')
    return 0
  })
}

const number = (count: number): string => count.toLocaleString('en')

function dryRunText({ sources, bodyDays }: DryRun): string {
  const columns = [
    { title: 'source' },
    { title: 'receipts kept', align: 'right' },
    { title: 'bodies kept', align: 'right' },
    { title: 'receipts to remove', align: 'right' },
  ] as const
  const rows = sources.map(({ source, keepDays, keepBodyDays, keepsKeys, receipts }) => [
    printable(source),
    `${keepDays} days${keepsKeys ? ', then a key' : ''}`,
    `${keepBodyDays} days`,
    number(receipts),
  ])
  const days = bodyDays.length === 0 ? 'none' : bodyDays.join(', ')
  return `${drawTable(columns, rows)}\n\nDays of bodies to remove: ${days}\nNothing was changed.`
}

const names: Readonly<Record<string, string>> = {
  receipts: 'receipts',
  bodies: 'bodies, one by one',
  partitionsDropped: 'days of bodies',
  keptBodies: 'bodies that had outlived their day',
  deliveries: 'deliveries in the log',
  refusals: 'minutes of refusals',
  attempts: 'attempts without a receipt',
}

function reportText({ counts }: PruneReport): string {
  const facts = Object.entries(counts).flatMap(([name, count]) =>
    count === 0 || names[name] === undefined ? [] : [[`  ${names[name]}`, number(count).padStart(12)] as const],
  )
  return facts.length === 0 ? 'There was nothing to remove.' : `Removed:\n${drawFacts(facts)}`
}
