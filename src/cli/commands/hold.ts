import type { Receipt, ReceiptFilter } from '../../index.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, filterOptions, jsonOption, storeOptions } from '../common-options.ts'
import { type ExitCode, failed, wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import type { Ledger } from '../ledger.ts'
import { withLedger } from '../open-ledger.ts'
import { chooseStore } from '../open-store.ts'
import { filterOf, isReceiptId } from '../receipt-filter.ts'
import { plural } from '../start-texts.ts'
import { userName } from '../user-name.ts'

const options = {
  why: { type: 'string', value: 'text', meaning: 'the reason, which is kept with the receipt; required' },
  by: { type: 'string', value: 'name', meaning: 'who asks for it; default the user of this machine' },
  ...filterOptions,
  limit: { ...filterOptions.limit, meaning: 'at most so many, newest first; default all' },
  ...storeOptions,
  ...environmentOption,
  ...jsonOption,
} as const

/** Keeps receipts, however old they get. */
export const holdCommand: Command = asCommand({
  name: 'hold',
  summary: 'Keep receipts with their bodies and logs, however old they get, until they are released',
  forms: ['<id...> --why <text>', '<filters> --why <text>'],
  options,
  examples: ['hold 42 --why "case 17"', 'hold --object cus_1 --why "case 17" --by ada'],
  run: (call) => change(call, { verb: 'hold', done: 'held', others: 'held already' }),
})

/** Lets them go when their time is over. */
export const releaseCommand: Command = asCommand({
  name: 'release',
  summary: 'Release receipts that are held, so that they go when their time is over',
  forms: ['<id...> --why <text>', '<filters> --why <text>'],
  options,
  examples: ['release 42 --why "the case is closed"'],
  run: (call) => change(call, { verb: 'release', done: 'released', others: 'not held' }),
})

type Change = { readonly verb: 'hold' | 'release'; readonly done: string; readonly others: string }

async function change(call: Call<typeof options>, { verb, done, others }: Change): Promise<ExitCode> {
  const { values, positionals, terminal, environment, directory, program } = call
  const { why = '', by = userName() ?? '' } = values
  if (why.trim() === '') throw wrongUsage('--why is missing: say the reason, it is kept with the receipt.')
  if (by.trim() === '') throw wrongUsage('--by is missing: say who asks for it.')
  const filters = filtersOf(values, positionals)

  const home = homeOf(directory)
  const choice = chooseStore(values, environment, home)
  const place = { choice, home, environment: values.environment ?? 'default', program }
  return withLedger(place, async (ledger): Promise<ExitCode> => {
    for (const { id } of filters) if (id !== undefined) await find(ledger, id)
    const ids: string[] = []
    for (const filter of filters) ids.push(...(await ledger[verb](filter, { by, why })))
    if (values.json === true) terminal.print(JSON.stringify({ [done]: ids }))
    else
      terminal.print(`${plural(ids.length, 'receipt')} ${done}.${ids.length === 0 ? ` The others are ${others}.` : ''}`)
    return 0
  })
}

function filtersOf(values: Call<typeof options>['values'], ids: readonly string[]): readonly ReceiptFilter[] {
  const filter = filterOf(values, new Date())
  const isFiltered = Object.keys(filter).some((name) => name !== 'limit')
  if (ids.length === 0 && !isFiltered) throw wrongUsage('Which receipts? Give their ids, or a filter such as --object.')
  if (ids.length > 0 && Object.keys(filter).length > 0) throw wrongUsage('Give either ids or a filter.')
  const stranger = ids.find((id) => !isReceiptId(id))
  if (stranger !== undefined) throw wrongUsage(`${JSON.stringify(stranger)} is not the id of a receipt.`)
  return ids.length === 0 ? [filter] : [...new Set(ids)].map((id) => ({ id }))
}

async function find(ledger: Ledger, id: string): Promise<Receipt> {
  const [receipt] = await ledger.find({ id, limit: 1 })
  if (receipt === undefined) throw failed(`There is no receipt ${id} here, so nothing was changed.`)
  return receipt
}
