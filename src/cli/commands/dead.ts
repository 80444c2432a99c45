import { asCommand, type Call, type Command } from '../command.ts'
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
    const ids = found.length === 1 ? found[0]?.id : '--status failed'
    terminal.print(deadTable(found, { now, paint: terminal.paint }))
    terminal.print(
      `\nTo run them again: ${terminal.paint('cyan', `${program} replay ${ids} --why "the cause is mended"`)}`,
    )
  }
  return 0
}
