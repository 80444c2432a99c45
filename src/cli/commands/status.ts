import { setTimeout as pause } from 'node:timers/promises'
import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, jsonOption, storeOptions } from '../common-options.ts'
import { sentenceOf, wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import type { Ledger } from '../ledger.ts'
import { withLedger } from '../open-ledger.ts'
import { chooseStore } from '../open-store.ts'
import { wholeNumber } from '../parse-arguments.ts'
import { untilAskedToStop } from '../signals.ts'
import { statusDocument, statusText } from '../status-texts.ts'

const options = {
  watch: { type: 'boolean', meaning: 'draw it anew until Ctrl+C' },
  every: { type: 'string', value: 'seconds', meaning: 'with --watch: how often; default 2' },
  ...storeOptions,
  ...environmentOption,
  ...jsonOption,
} as const

/** Shows how things stand. */
export const statusCommand: Command = asCommand({
  name: 'status',
  summary: 'See at a glance how things stand: errors, duplicates, the ledger, what waits and what is dead',
  forms: ['[options]'],
  options,
  examples: ['status', 'status --watch', 'status --json | jq .firstAttemptErrorRate'],
  run: status,
})

async function status(call: Call<typeof options>): Promise<0> {
  const { values, positionals, terminal, environment, directory, program } = call
  if (positionals.length > 0) throw wrongUsage(`status takes no ${JSON.stringify(positionals[0])}.`)
  const everySeconds = wholeNumber('every', values.every, { atLeast: 1, atMost: 86_400 })
  if (everySeconds !== undefined && values.watch !== true) throw wrongUsage('--every needs --watch.')
  const home = homeOf(directory)
  const choice = chooseStore(values, environment, home)
  const place = { choice, home, environment: values.environment ?? 'default', program }
  await withLedger(place, async (ledger) => {
    const first = await read(call, ledger)
    if (values.watch === true) await watch(call, { ledger, first, everySeconds: everySeconds ?? 2 })
    else terminal.print(first)
  })
  return 0
}

async function read({ values, terminal }: Call<typeof options>, ledger: Ledger): Promise<string> {
  const report = await ledger.health()
  if (values.json === true) return JSON.stringify(statusDocument(report))
  return statusText(report, { now: new Date(), paint: terminal.paint })
}

/** A database that is away for a while does not end it: that is when somebody is looking. */
async function watch(
  call: Call<typeof options>,
  { ledger, first, everySeconds }: { readonly ledger: Ledger; readonly first: string; readonly everySeconds: number },
): Promise<void> {
  const { values, terminal } = call
  const isJson = values.json === true
  const screen = isJson ? { draw: terminal.print, close: () => {} } : terminal.openScreen()
  const hint = isJson ? '' : `\n\n${terminal.paint('dim', `Every ${everySeconds} s. Ctrl+C ends it.`)}`
  const asked = new AbortController()
  void untilAskedToStop().then(() => asked.abort())
  try {
    let text = first
    while (!asked.signal.aborted) {
      screen.draw(text + hint)
      await pause(everySeconds * 1000, undefined, { signal: asked.signal }).catch(() => {})
      if (!asked.signal.aborted) text = await read(call, ledger).catch((error: unknown) => failureText(error, call))
    }
  } finally {
    screen.close()
  }
}

function failureText(error: unknown, { values, terminal }: Call<typeof options>): string {
  if (values.json === true) return JSON.stringify({ error: sentenceOf(error) })
  return terminal.paint('red', sentenceOf(error))
}
