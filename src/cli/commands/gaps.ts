import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, jsonOption, storeOptions } from '../common-options.ts'
import { type ExitCode, wrongUsage } from '../failure.ts'
import { chooseHistory, historyOptions, rangeOf, typesOf } from '../history-choice.ts'
import { gapsText, historyProgress } from '../history-texts.ts'
import { homeOf } from '../home.ts'
import { chooseStore } from '../open-store.ts'
import { wholeNumber } from '../parse-arguments.ts'
import { interruption } from '../signals.ts'
import { withStoreInbox } from '../store-inbox.ts'

const options = {
  ...historyOptions,
  limit: { type: 'string', value: 'n', meaning: 'name at most so many missing events; default 20' },
  ...storeOptions,
  ...environmentOption,
  ...jsonOption,
} as const

/** Compares what a provider says it has sent with the ledger. */
export const gapsCommand: Command = asCommand({
  name: 'gaps',
  summary: 'Ask a provider what it has sent, and show what never arrived',
  forms: ['<source> --from <time> [options]'],
  options,
  examples: [
    'gaps stripe --from 3d --types "invoice.*,charge.refunded"',
    'gaps github --from 2d --repository octo-org/hello --hook 292430182',
    'gaps shopify --from 1d --shop example.myshopify.com',
  ],
  run: gaps,
})

/** Ends with 1 if something is missing. */
async function gaps(call: Call<typeof options>): Promise<ExitCode> {
  const { values, terminal, environment, directory, program } = call
  const source = sourceOf(call)
  const range = rangeOf(values, new Date())
  const limit = wholeNumber('limit', values.limit, { atLeast: 0, atMost: 100_000 }) ?? 20
  const { provider, history } = await chooseHistory(call, source)
  const home = homeOf(directory)
  const place = {
    choice: chooseStore(values, environment, home),
    home,
    environment: values.environment ?? 'default',
    program,
  }
  const report = await withStoreInbox(place, { [source]: provider }, (inbox) =>
    inbox.gaps({
      ...range,
      source,
      history,
      types: typesOf(values) ?? ['*'],
      limit,
      signal: interruption(),
      onProgress: (progress) => terminal.progress(historyProgress(progress)),
    }),
  )
  terminal.progress(undefined)
  terminal.print(values.json === true ? JSON.stringify(report) : gapsText(report, terminal.paint))
  return report.missing === 0 ? 0 : 1
}

/** The one source that the command is about. */
export function sourceOf({ positionals }: Pick<Call, 'positionals'>): string {
  const [source, unexpected] = positionals
  if (source === undefined) throw wrongUsage('Which source? Give its name in "sources".')
  if (unexpected !== undefined) throw wrongUsage(`Give one source, and no ${JSON.stringify(unexpected)}.`)
  if (!/^[\w.-]{1,100}$/.test(source)) throw wrongUsage(`${JSON.stringify(source)} cannot be the name of a source.`)
  return source
}
