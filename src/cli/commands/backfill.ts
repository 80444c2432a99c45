import type { BackfillOptions, Inbox } from '../../index.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, jsonOption, storeOptions } from '../common-options.ts'
import { type ExitCode, failed, wrongUsage } from '../failure.ts'
import { chooseHistory, historyOptions, rangeOf, typesOf } from '../history-choice.ts'
import { backfillText, gapsText, historyProgress } from '../history-texts.ts'
import { homeOf } from '../home.ts'
import { chooseStore, type SqlTransaction } from '../open-store.ts'
import { interruption } from '../signals.ts'
import { withStoreInbox } from '../store-inbox.ts'
import { sourceOf } from './gaps.ts'

const options = {
  ...historyOptions,
  types: {
    ...historyOptions.types,
    meaning: `${historyOptions.types.meaning}; required: your handlers are not in this command`,
  },
  'dry-run': { type: 'boolean', meaning: 'only show what is missing' },
  redeliver: { type: 'boolean', meaning: 'GitHub: ask for redeliveries instead of taking events from the API' },
  continue: { type: 'boolean', meaning: 'go on with the last run that was not finished, whose times and types count' },
  ...storeOptions,
  ...environmentOption,
  ...jsonOption,
} as const

/** Takes what never arrived from the provider's API. */
export const backfillCommand: Command = asCommand({
  name: 'backfill',
  summary: 'Take what never arrived from the provider’s API, and put it into the queue',
  forms: ['<source> --from <time> --types <types> [options]', '<source> --continue [options]'],
  options,
  examples: [
    'backfill stripe --from 3d --types "invoice.*" --dry-run',
    'backfill stripe --from 2026-01-30T08:00Z --to 2026-01-31T12:00Z --types "invoice.*"',
    'backfill stripe --continue',
    'backfill github --from 2d --types "*" --repository octo-org/hello --hook 292430182 --redeliver',
  ],
  run: backfill,
})

async function backfill(call: Call<typeof options>): Promise<ExitCode> {
  const { values, terminal, environment, directory, program } = call
  const source = sourceOf(call)
  const wish = wishOf(values, source)
  const { provider, history } = await chooseHistory(call, source)
  const home = homeOf(directory)
  const place = {
    choice: chooseStore(values, environment, home),
    home,
    environment: values.environment ?? 'default',
    program,
  }
  const signal = interruption()
  return withStoreInbox(place, { [source]: provider }, async (inbox) => {
    const watched = {
      history,
      signal,
      onProgress: (progress: Parameters<typeof historyProgress>[0]) => terminal.progress(historyProgress(progress)),
    }
    if (values['dry-run'] === true && !('continue' in wish)) {
      const report = await inbox.gaps({ ...wish, ...watched, limit: 20 })
      terminal.progress(undefined)
      terminal.print(values.json === true ? JSON.stringify(report) : gapsText(report, terminal.paint))
      return report.missing === 0 ? 0 : 1
    }
    await refuseProtected(inbox, source)
    const report = await inbox.backfill({ ...wish, ...watched })
    terminal.progress(undefined)
    if (values.json === true) terminal.print(JSON.stringify(report))
    else terminal.print(backfillText(report, terminal.paint))
    if (report.recorded > 0) terminal.tell('They run as soon as a worker is there.')
    return report.failed === 0 ? 0 : 1
  })
}

/** This command has none of the app's redaction and keys: what it stored would not be protected as the app's own receipts are. */
async function refuseProtected({ receipts }: Inbox<SqlTransaction>, source: string): Promise<void> {
  const [newest] = await receipts.find({ source, origin: 'webhook', limit: 1 })
  const body = newest && (await receipts.body(newest.id))
  if (body?.sealed === undefined && body?.redaction === undefined) return
  throw failed(
    `Your app ${body.sealed === undefined ? 'leaves out parts of' : 'encrypts'} what it stores of ${source}, and this command cannot: call inbox.backfill in your app.`,
  )
}

function wishOf(values: Call<typeof options>['values'], source: string): BackfillOptions {
  if (values.continue === true) {
    const other = (['from', 'to', 'types', 'dry-run', 'redeliver'] as const).find((name) => values[name] !== undefined)
    if (other !== undefined)
      throw wrongUsage(`--continue goes on with what was asked for before, so it takes no --${other}.`)
    return { source, continue: true }
  }
  const types = typesOf(values)
  if (types === undefined && values['dry-run'] !== true) {
    throw wrongUsage(
      '--types is missing: which types have your handlers? What none of them takes would wait in the queue for ever.',
    )
  }
  const how = values.redeliver === true ? ('redeliver' as const) : ('pull' as const)
  return { ...rangeOf(values, new Date()), source, types: types ?? ['*'], how }
}
