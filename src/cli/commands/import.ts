import type { ImportColumns, ImportOptions, ImportReport } from '../../index.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, jsonOption, storeOptions } from '../common-options.ts'
import { wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import { chooseStore } from '../open-store.ts'
import { interruption } from '../signals.ts'
import { nameOnly, withStoreInbox } from '../store-inbox.ts'
import { drawFacts } from '../table.ts'

const options = {
  table: { type: 'string', value: 'name', meaning: 'the table to take over, as in public.processed_events; required' },
  source: { type: 'string', value: 'name', meaning: 'whose events they are: its name in "sources"; required' },
  column: {
    type: 'string',
    value: 'meaning=column',
    isRepeatable: true,
    meaning:
      "event_id (required), type, object_id, processed_at or status; event_id='12',guid makes one id of two parts",
  },
  'processed-status': {
    type: 'string',
    value: 'texts',
    meaning: 'what the status column says of what is done; several with commas',
  },
  others: {
    type: 'string',
    value: 'leave|dead-letter',
    meaning: 'rows that are not processed yet; default leave, so that a redelivery runs them',
  },
  where: { type: 'string', value: 'condition', meaning: 'only rows for which this SQL condition holds' },
  type: { type: 'string', value: 'text', meaning: 'the type of events without one; default imported' },
  key: { type: 'string', value: 'columns', meaning: 'the unique key to read by; default the primary key' },
  'dry-run': { type: 'boolean', meaning: 'only count what would be done' },
  ...storeOptions,
  ...environmentOption,
  ...jsonOption,
} as const

/** Takes over a table of processed events. */
export const importCommand: Command = asCommand({
  name: 'import',
  summary: 'Take over a table of events that were processed before, so that none of them runs again',
  forms: ['--table <name> --source <name> --column event_id=<column> [options]'],
  options,
  examples: [
    'import --table processed_events --source stripe --column event_id=id --dry-run',
    'import --table webhook_receipts --source stripe --column event_id=event_id --column type=event_type ' +
      '--column status=state --processed-status done',
    `import --table seen_deliveries --source github --column "event_id='292430182',guid"`,
  ],
  run: runImport,
})

async function runImport(call: Call<typeof options>): Promise<0> {
  const { values, positionals, terminal, environment, directory, program } = call
  if (positionals.length > 0) throw wrongUsage(`import takes no ${JSON.stringify(positionals[0])}.`)
  const wanted = optionsOf(values)
  const home = homeOf(directory)
  const choice = chooseStore(values, environment, home)
  const place = { choice, home, environment: values.environment ?? 'default', program }
  const report = await withStoreInbox(place, { [wanted.source]: nameOnly() }, (inbox) =>
    inbox.importTable({
      ...wanted,
      signal: interruption(),
      onProgress: (progress) => terminal.progress(progressText(progress)),
    }),
  )
  terminal.progress(undefined)
  terminal.print(values.json === true ? JSON.stringify(report) : reportText(report))
  return 0
}

function optionsOf(values: Call<typeof options>['values']): ImportOptions {
  const { table, source, where, type, key, others = 'leave' } = values
  if (table === undefined) throw wrongUsage('--table is missing: which table is to be taken over?')
  if (source === undefined) throw wrongUsage('--source is missing: whose events are they?')
  if (!/^[\w.-]{1,100}$/.test(source)) throw wrongUsage(`--source cannot be ${JSON.stringify(source)}.`)
  if (others !== 'leave' && others !== 'dead-letter') throw wrongUsage('--others is either leave or dead-letter.')
  return {
    table,
    source,
    columns: columnsOf(values.column ?? []),
    ...(values['processed-status'] !== undefined && { processedStatuses: listOf(values['processed-status']) }),
    others: others === 'leave' ? 'leave' : 'dead_letter',
    ...(where !== undefined && { where }),
    ...(type !== undefined && { type }),
    ...(key !== undefined && { key: listOf(key) }),
    dryRun: values['dry-run'] === true,
  }
}

const meanings = {
  event_id: 'eventId',
  type: 'type',
  object_id: 'objectId',
  processed_at: 'processedAt',
  status: 'status',
} as const satisfies Readonly<Record<string, keyof ImportColumns>>

function columnsOf(given: readonly string[]): ImportColumns {
  const columns: Partial<Record<keyof ImportColumns, string>> = {}
  for (const text of given) {
    const [, meaning = '', column = ''] = /^(\w+)=(.+)$/s.exec(text) ?? []
    const known = Object.hasOwn(meanings, meaning) ? meanings[meaning as keyof typeof meanings] : undefined
    if (known === undefined) {
      const all = Object.keys(meanings).join(', ')
      throw wrongUsage(`--column is ${JSON.stringify(text)}: give one of ${all}, "=" and the name of a column.`)
    }
    if (columns[known] !== undefined) throw wrongUsage(`--column ${meaning} is given twice: give it once.`)
    columns[known] = column
  }
  const { eventId, ...others } = columns
  if (eventId === undefined) throw wrongUsage('--column event_id=… is missing: which column tells events apart?')
  return { ...others, eventId: partsOf(eventId) }
}

/** Texts in single quotes stand for themselves. */
function partsOf(text: string): ImportColumns['eventId'] {
  const parts = text.match(/'[^']*'|[^,']+/g) ?? []
  if (parts.length === 1 && !text.startsWith("'")) return text
  return parts.map((part) => (part.startsWith("'") ? { value: part.slice(1, -1) } : part.trim()))
}

function listOf(text: string): readonly string[] {
  return text.split(',').map((part) => part.trim())
}

const number = (count: number): string => count.toLocaleString('en')

function progressText({ rows, imported, estimatedRows }: ImportReport): string {
  const share = estimatedRows === undefined || estimatedRows < rows ? '' : ` of about ${number(estimatedRows)}`
  return `${number(rows)}${share} rows read, ${number(imported)} events taken over`
}

function reportText(report: ImportReport): string {
  const isTried = report.runId === undefined
  const facts: readonly (readonly [string, number])[] = [
    ['  rows read', report.rows],
    [isTried ? '  would be taken over as processed' : '  taken over as processed', report.imported],
    [isTried ? '  would become dead letters' : '  became dead letters', report.deadLetters],
    ['  known already', report.known],
    ['  left out, not processed yet', report.leftOut],
    ['  left out, without an id', report.withoutId],
  ]
  const title = `${report.table}${isTried ? ' (dry run, nothing was changed)' : ''}`
  return [title, drawFacts(facts.map(([name, count]) => [name, number(count).padStart(12)]))].join('\n')
}
