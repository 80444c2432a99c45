import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { findConfig } from '../../gateway/load-config.ts'
import { attachToReceiver } from '../attach.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { jsonOption, storeOptions } from '../common-options.ts'
import { findReceiver, type RunningReceiver } from '../control-client.ts'
import { failed, wrongUsage } from '../failure.ts'
import { forwardAddress } from '../forward-address.ts'
import { homeOf } from '../home.ts'
import { lendSources } from '../lent-sources.ts'
import { startListening } from '../listen-gateway.ts'
import { listenBanner, listenDocument, listenTitle } from '../listen-texts.ts'
import { openLiveOutput } from '../live-output.ts'
import { portOf, portOptions } from '../port-options.ts'
import { untilAskedToStop } from '../signals.ts'
import { demandProviders } from '../sources.ts'

const options = {
  forward: {
    type: 'string',
    value: 'url',
    meaning: 'where each new event goes, as http://localhost:3000/webhooks; without it events are only shown',
  },
  ...portOptions,
  database: {
    ...storeOptions.database,
    meaning: 'a PostgreSQL database; default ./.oncehook/data, never $DATABASE_URL',
  },
  schema: storeOptions.schema,
  config: {
    type: 'string',
    value: 'file',
    meaning: 'lends its sources; default oncehook.config.ts, .mts, .js or .mjs here, else every provider',
  },
  ...jsonOption,
} as const

/** Receives webhooks for an app that runs on this machine, with a live list. */
export const listenCommand: Command = asCommand({
  name: 'listen',
  summary: 'Forward webhooks to an app on this machine, with a live list to inspect and replay them',
  forms: ['[<source>...] --forward <url>', '[<source>...]'],
  options,
  examples: ['listen stripe --forward http://localhost:3000/webhooks', 'listen', 'listen github --json'],
  run: listen,
})

async function listen(call: Call<typeof options>): Promise<0> {
  const { values, positionals: names, environment, directory } = call
  const to = values.forward === undefined ? undefined : forwardAddress(values.forward)
  const file = configOf(call)
  const where = portOf(values)
  const home = homeOf(directory)
  const running = values.database === undefined ? await findReceiver(home) : undefined
  if (running !== undefined) {
    refuseSecond(call, running)
    if (file === undefined) demandProviders(names)
    return attachToReceiver(call, { running, names })
  }

  const asked = untilAskedToStop()
  const output = openLiveOutput(call)
  const lent = await lendSources({ home, file, names, environment })
  if (values.json !== true) call.terminal.tell('Opening the database…')
  const listening = await startListening({
    home,
    lent,
    to,
    values,
    environment,
    where,
    listener: output.tell,
  })
  const facts = { listening, to, directory }
  try {
    const { ledger } = listening.gateway
    const noReplay = to === undefined ? 'There is nobody to send it to: start it with --forward <url>.' : undefined
    const shown = output.begin({
      title: listenTitle(facts),
      banner: () => listenBanner(facts, call.terminal.paint),
      document: () => listenDocument(facts),
      ledger,
      noReplay,
    })
    await Promise.race([asked, shown.quit])
    // A key was the first request to stop as well, so the next one ends the process at once.
    process.once('SIGINT', () => process.exit(1))
    output.close()
    if (values.json !== true) call.terminal.tell('Stopping: what runs is finished first. Ctrl+C to stop at once.')
  } finally {
    output.close()
    await listening.gateway.stop()
  }
  output.end()
  return 0
}

function configOf({ values, directory }: Call<typeof options>): string | undefined {
  if (values.config === undefined) return findConfig(directory)
  const file = resolve(directory, values.config)
  if (!existsSync(file)) throw wrongUsage(`There is no file ${values.config}.`)
  return file
}

/** What runs here can be watched, but it has handlers of its own: whoever wants another has to choose. */
function refuseSecond({ values, program }: Call<typeof options>, { address }: RunningReceiver): void {
  const wish = (['forward', 'port', 'host', 'schema', 'config'] as const).find((name) => values[name] !== undefined)
  if (wish === undefined) return
  throw failed(
    `A receiver runs here already, at ${address.url} (process ${address.processId}), so --${wish} has to wait: ` +
      `stop it first, or watch it with "${program} listen" alone, or give --database for a store of your own.`,
  )
}
