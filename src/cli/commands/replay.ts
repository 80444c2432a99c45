import type { Receipt, ReceiptFilter, ReplayNote, ReplayPreview } from '../../index.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, filterOptions, jsonOption, storeOptions } from '../common-options.ts'
import { encryptionOf } from '../encryption.ts'
import { type ExitCode, failed, wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import type { Ledger } from '../ledger.ts'
import { withLedger } from '../open-ledger.ts'
import { chooseStore } from '../open-store.ts'
import { previewText } from '../preview-text.ts'
import { printable } from '../printable.ts'
import { filterOf, isReceiptId, mostReceipts } from '../receipt-filter.ts'
import { receiptsTable } from '../receipt-texts.ts'
import { plural } from '../start-texts.ts'
import { userName } from '../user-name.ts'

const options = {
  why: { type: 'string', value: 'text', meaning: 'the reason, which is kept with the receipt; required' },
  by: { type: 'string', value: 'name', meaning: 'who asks for it; default the user of this machine' },
  ...filterOptions,
  limit: { ...filterOptions.limit, meaning: 'at most so many, newest first; default all' },
  preview: {
    type: 'boolean',
    meaning: 'only show what the handlers would do; nothing is changed, and no reason needed',
  },
  yes: { type: 'boolean', meaning: 'do not ask before replaying several, or what took effect already' },
  ...storeOptions,
  ...environmentOption,
  ...jsonOption,
} as const

/** Puts receipts back into the queue. */
export const replayCommand: Command = asCommand({
  name: 'replay',
  summary: 'Let the handlers run again for receipts that failed, or for others that are named',
  forms: ['<id...> --why <text>', '--status failed [filters] --why <text>', '(<id...> | <filters>) --preview'],
  options,
  examples: [
    'replay 42 --preview',
    'replay 42 --why "the table was missing"',
    'replay --status failed --source stripe --why "the handler is mended" --yes',
  ],
  run: replay,
})

async function replay(call: Call<typeof options>): Promise<ExitCode> {
  const { values, positionals, environment, directory, program } = call
  const note = values.preview === true ? undefined : noteOf(values)
  const filter = filterOf(values, new Date())
  const isFiltered = Object.keys(filter).some((name) => name !== 'limit')
  if (positionals.length === 0 && !isFiltered) {
    throw wrongUsage('Which receipts? Give their ids, or a filter such as --status failed.')
  }
  if (positionals.length > 0 && Object.keys(filter).length > 0) throw wrongUsage('Give either ids or a filter.')
  const stranger = positionals.find((id) => !isReceiptId(id))
  if (stranger !== undefined) throw wrongUsage(`${JSON.stringify(stranger)} is not the id of a receipt.`)

  const home = homeOf(directory)
  const choice = chooseStore(values, environment, home)
  const place = {
    choice,
    home,
    environment: values.environment ?? 'default',
    program,
    encryption: encryptionOf(environment),
  }
  return withLedger(place, async (ledger, through) => {
    const chosen = positionals.length > 0 ? await chooseById(ledger, positionals) : await chooseByFilter(ledger, filter)
    if (note === undefined) return showPreview(call, { ledger, chosen, through })
    if (!(await isConfirmed(call, chosen))) throw failed('Nothing was replayed.')
    const replayed = await replayEach(ledger, chosen, note)
    show(call, { chosen, replayed, through })
    if (values.json !== true) await tellRedactions(call, ledger, replayed)
    return replayed.length === chosen.length ? 0 : 1
  })
}

function noteOf({ why, by }: { readonly why?: string | undefined; readonly by?: string | undefined }): ReplayNote {
  if (why === undefined || why.trim() === '') {
    throw wrongUsage('--why is missing: say the reason, it is kept with the receipt.')
  }
  const who = by ?? userName()
  if (who === undefined || who.trim() === '') throw wrongUsage('--by is missing: say who asks for it.')
  return { by: who, why }
}

/** Whoever gives an id means that receipt, whatever its status. */
async function chooseById(ledger: Ledger, ids: readonly string[]): Promise<readonly Receipt[]> {
  const chosen: Receipt[] = []
  for (const id of new Set(ids)) {
    const [receipt] = await ledger.find({ id, limit: 1 })
    if (receipt === undefined) throw failed(`There is no receipt ${id} here, so nothing was replayed.`)
    chosen.push(receipt)
  }
  return chosen
}

/** Without a status, only what did not succeed: to repeat what is processed has to be said. */
async function chooseByFilter(ledger: Ledger, filter: ReceiptFilter): Promise<readonly Receipt[]> {
  return ledger.find({ status: ['failed', 'ignored'], limit: mostReceipts, ...filter })
}

/** Before a question: enough to recognise them by. */
const mostShown = 20

async function isConfirmed({ values, terminal }: Call<typeof options>, chosen: readonly Receipt[]): Promise<boolean> {
  const processed = chosen.filter(({ status }) => status === 'processed').length
  if ((chosen.length < 2 && processed === 0) || values.yes === true) return true
  const again = processed === 0 ? '' : `, ${processed} of which took effect already: their handlers would run again`
  if (!terminal.isInteractive) throw failed(`This would replay ${countOf(chosen)}${again}. Give --yes to do it.`)
  terminal.tell(receiptsTable(chosen.slice(0, mostShown), (_, text) => text))
  if (chosen.length > mostShown) terminal.tell(`… and ${chosen.length - mostShown} more`)
  return terminal.confirm(`Replay ${countOf(chosen)}${again}?`)
}

function countOf({ length }: readonly Receipt[]): string {
  return length === 1 ? '1 receipt' : `${length} receipts`
}

/** By id and status as they were shown: what changed since is left alone. */
async function replayEach(ledger: Ledger, chosen: readonly Receipt[], note: ReplayNote): Promise<readonly string[]> {
  const replayed: string[] = []
  for (const { id, status } of chosen) replayed.push(...(await ledger.replay({ id, status }, note)))
  return replayed
}

/** Handlers of a replay see what is stored, which may be less than what came. */
async function tellRedactions(
  { terminal }: Call<typeof options>,
  ledger: Ledger,
  replayed: readonly string[],
): Promise<void> {
  const redacted = await ledger.redactions(replayed)
  if (redacted.length === 0) return
  const paths = [...new Set(redacted.flatMap(({ redaction }) => redaction.paths))].map(printable).join(', ')
  terminal.tell(`${plural(redacted.length, 'receipt')} of them were redacted: their handlers do not see ${paths}.`)
}

/** By id and status, one at a time: a handler may take long. */
async function showPreview(
  { values, terminal }: Call<typeof options>,
  from: { readonly ledger: Ledger; readonly chosen: readonly Receipt[]; readonly through: 'receiver' | 'store' },
): Promise<0> {
  const previews: ReplayPreview[] = []
  for (const { id, status } of from.chosen) previews.push(...(await from.ledger.preview({ id, status })))
  if (values.json === true) terminal.print(JSON.stringify(previews))
  else terminal.print(previewText(previews, terminal.paint))
  if (from.through === 'store' && values.json !== true) {
    terminal.tell('These are the handlers of "start". For those of your app, preview the replay there.')
  }
  return 0
}

function show(
  { values, terminal }: Call<typeof options>,
  result: {
    readonly chosen: readonly Receipt[]
    readonly replayed: readonly string[]
    readonly through: 'receiver' | 'store'
  },
): void {
  const { chosen, replayed, through } = result
  const passedOver = chosen.map(({ id }) => id).filter((id) => !replayed.includes(id))
  if (values.json === true) {
    terminal.print(JSON.stringify({ replayed, passedOver }))
    return
  }
  const next = through === 'receiver' ? 'The receiver runs them now.' : 'They run as soon as a worker is there.'
  terminal.print(
    `${plural(replayed.length, 'receipt')} put back into the queue. ${replayed.length > 0 ? next : ''}`.trim(),
  )
  if (passedOver.length > 0) {
    terminal.tell(`Passed over, because they are in the queue already or have changed: ${passedOver.join(', ')}.`)
  }
}
