import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, filterOptions, jsonOption, storeOptions } from '../common-options.ts'
import { encryptionOf } from '../encryption.ts'
import { failed, wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import type { Ledger } from '../ledger.ts'
import { withLedger } from '../open-ledger.ts'
import { chooseStore } from '../open-store.ts'
import { printable } from '../printable.ts'
import { filterOf, isReceiptId } from '../receipt-filter.ts'
import { receiptsTable, receiptText, redactionText } from '../receipt-texts.ts'

const options = {
  ...filterOptions,
  pending: { type: 'boolean', meaning: 'only what is still to be done' },
  body: { type: 'boolean', meaning: 'with an id: the exact bytes that are stored, and nothing else' },
  ...storeOptions,
  ...environmentOption,
  ...jsonOption,
} as const

const defaultLimit = 50

/** Shows the ledger, or one receipt of it. */
export const receiptsCommand: Command = asCommand({
  name: 'receipts',
  summary: 'Look at receipts: a list, or one with its whole life',
  forms: ['[options]', '<id> [--body]'],
  options,
  examples: ['receipts --source stripe --after 2h', 'receipts --pending', 'receipts 42', 'receipts 42 --body | jq .'],
  run: receipts,
})

async function receipts(call: Call<typeof options>): Promise<0> {
  const { values, positionals, environment, directory, program } = call
  const [id, unexpected] = positionals
  if (unexpected !== undefined) throw wrongUsage(`receipts takes one id, and no ${JSON.stringify(unexpected)}.`)
  if (id === undefined && values.body === true) throw wrongUsage('--body needs the id of a receipt.')
  if (id !== undefined && !isReceiptId(id)) {
    throw wrongUsage(`${JSON.stringify(id)} is not the id of a receipt. For the id of an event, give --event.`)
  }
  const home = homeOf(directory)
  const choice = chooseStore(values, environment, home)
  const filter = {
    limit: defaultLimit,
    ...filterOf(values, new Date()),
    ...(values.pending === true && { isPending: true }),
  }
  return withLedger(
    { choice, home, environment: values.environment ?? 'default', program, encryption: encryptionOf(environment) },
    async (ledger) => {
      if (id === undefined) return showList(call, await ledger.find(filter))
      return values.body === true ? showBody(call, ledger, id) : showOne(call, ledger, id)
    },
  )
}

function showList({ values, terminal }: Call<typeof options>, found: Awaited<ReturnType<Ledger['find']>>): 0 {
  if (values.json === true) terminal.print(JSON.stringify(found))
  else if (found.length === 0) terminal.tell('There is no such receipt.')
  else terminal.print(receiptsTable(found, terminal.paint))
  const limit = Number(values.limit ?? defaultLimit)
  if (found.length === limit) terminal.tell(`Only the newest ${limit} are shown; for more, give --limit.`)
  return 0
}

async function showOne({ values, terminal }: Call<typeof options>, ledger: Ledger, id: string): Promise<0> {
  const timeline = await ledger.timeline(id)
  const [receipt] = await ledger.find({ id, limit: 1 })
  if (receipt === undefined) throw failed(`There is no receipt ${id} here.`)
  const [found] = await ledger.redactions([id])
  const redaction = found?.redaction
  if (values.json === true) terminal.print(JSON.stringify({ receipt, timeline, redaction }))
  else terminal.print(receiptText(receipt, { timeline, redaction }, terminal.paint))
  return 0
}

async function showBody({ values, terminal }: Call<typeof options>, ledger: Ledger, id: string): Promise<0> {
  const body = await ledger.body(id)
  if (body === undefined) throw failed(`There is no body of receipt ${id} here: no such receipt, or it was pruned.`)
  const { content, headers, redaction } = body
  const base64 = Buffer.from(content).toString('base64')
  if (values.json === true) terminal.print(JSON.stringify({ headers, base64, redaction }))
  else terminal.write(content)
  if (redaction !== undefined) terminal.tell(`Not stored: ${printable(redactionText(redaction))}`)
  return 0
}
