import type { Receipt } from '../../index.ts'
import { asCommand, type Call, type Command, type OptionValues } from '../command.ts'
import { environmentOption, filterOptions, jsonOption, storeOptions } from '../common-options.ts'
import { wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import { withLedger } from '../open-ledger.ts'
import { chooseStore } from '../open-store.ts'
import { filterOf } from '../receipt-filter.ts'
import { deadTable } from '../receipt-texts.ts'

const { status: _, ...filters } = filterOptions

const options = { ...filters, ...storeOptions, ...environmentOption, ...jsonOption } as const

/** Shows what failed for good. */
export const deadCommand: Command = asCommand({
  name: 'dead',
  summary: 'Look at dead letters: what failed for good, why, and how to replay it',
  forms: ['[options]'],
  options,
  examples: ['dead', 'dead --source stripe --after 7d'],
  run: dead,
})

async function dead({
  values,
  positionals,
  terminal,
  environment,
  directory,
  program,
}: Call<typeof options>): Promise<0> {
  if (positionals.length > 0) throw wrongUsage(`dead takes no ${JSON.stringify(positionals[0])}.`)
  const home = homeOf(directory)
  const choice = chooseStore(values, environment, home)
  const now = new Date()
  const filter = { ...filterOf(values, now), status: 'failed' } as const
  const place = { choice, home, environment: values.environment ?? 'default', program }
  const found = await withLedger(place, (ledger) => ledger.find(filter))

  if (values.json === true) terminal.print(JSON.stringify(found))
  else if (found.length === 0) terminal.tell('There are no dead letters.')
  else {
    terminal.print(deadTable(found, { now, paint: terminal.paint }))
    terminal.print(
      `\nTo run them again: ${terminal.paint('cyan', `${program} replay ${choiceOf(found, values)} --why "the cause is mended"`)}`,
    )
  }
  return 0
}

/** The words that mean the same receipts to `replay`. */
function choiceOf(found: readonly Receipt[], values: OptionValues<typeof filters>): string {
  if (found.length <= 5) return found.map(({ id }) => id).join(' ')
  const given = Object.keys(filters).flatMap((name) => {
    const value = values[name as keyof typeof filters]
    return value === undefined ? [] : [`--${name} ${/^[\w.:/-]+$/.test(value) ? value : JSON.stringify(value)}`]
  })
  return ['--status failed', ...given].join(' ')
}
