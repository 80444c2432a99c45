import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { findConfig } from '../../gateway/load-config.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { jsonOption, storeOptions } from '../common-options.ts'
import { findReceiver } from '../control-client.ts'
import { runDemo } from '../demo-run.ts'
import { failed, sentenceOf, wrongUsage } from '../failure.ts'
import { type Home, homeOf } from '../home.ts'
import type { PortChoice } from '../listen.ts'
import { createLiveView } from '../live-view.ts'
import { chooseStore, type StoreChoice } from '../open-store.ts'
import { portOf, portOptions } from '../port-options.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { untilAskedToStop } from '../signals.ts'
import { gatewayOptions, runGateway } from '../start-gateway.ts'
import { bannerOf, demoSummary, startedDocument } from '../start-texts.ts'

const options = {
  ...portOptions,
  ...storeOptions,
  ...gatewayOptions,
  demo: { type: 'boolean', meaning: 'send a signed event twice to oneself; default on an empty embedded store' },
  'no-demo': { type: 'boolean', meaning: 'never do that' },
  fail: {
    type: 'string',
    value: 'type',
    meaning: 'let the handler fail for this type, to see retries and a dead letter',
  },
  ...jsonOption,
} as const

/** Runs a receiver until it is asked to stop. */
export const startCommand: Command = asCommand({
  name: 'start',
  summary:
    'Run the gateway of oncehook.config.ts; without one, receive webhooks of every provider and show what happens',
  forms: ['[options]'],
  options,
  examples: [
    'start',
    'start --port 8080 --database postgres://localhost/app',
    'start --fail charge.refunded',
    'start --worker',
  ],
  run: start,
})

async function start(call: Call<typeof options>): Promise<0> {
  const { values, positionals, terminal, environment, directory } = call
  if (positionals.length > 0) throw wrongUsage(`start takes no ${JSON.stringify(positionals[0])}.`)
  if (values.demo === true && values['no-demo'] === true) throw wrongUsage('Give either --demo or --no-demo.')
  const file = configOf(call)
  if (file !== undefined) return runGateway({ ...call, where: (server) => portOf(values, server) }, file)
  const home = homeOf(directory)
  const choice = chooseStore(values, environment, home)
  const where = portOf(values)
  const show = showerOf(call)

  const asked = untilAskedToStop()
  if (choice.kind === 'embedded') await refuseSecond(home)
  if (values.json !== true) terminal.tell(openingLine(choice))
  const receiver = await startReceiver({
    home,
    choice,
    where,
    environment,
    failingType: values.fail,
    listener: show.event,
  })
  try {
    show.started(receiver, choice, where)
    if (await wantsDemo(values, choice, receiver)) await Promise.race([asked, demonstrate(receiver, show)])
    show.next()
    await asked
    if (values.json !== true) terminal.tell('Stopping: what runs is finished first. Once more to stop at once.')
  } finally {
    await receiver.stop()
  }
  show.stopped()
  return 0
}

/** The configuration that is meant, if there is one. What only one of both ways to start understands is not passed over. */
function configOf({ values, directory }: Call<typeof options>): string | undefined {
  const file = values.config === undefined ? findConfig(directory) : resolve(directory, values.config)
  if (values.config !== undefined && !existsSync(file ?? '')) throw wrongUsage(`There is no file ${values.config}.`)
  const foreign = file === undefined ? (['receiver', 'worker', 'watch'] as const) : (['demo', 'fail'] as const)
  const wrong = foreign.find((name) => values[name] !== undefined)
  if (wrong === undefined) return file
  throw wrongUsage(
    file === undefined
      ? `--${wrong} needs a configuration, and there is no oncehook.config.ts here.`
      : `--${wrong} is for trying things out without a configuration, and here is one.`,
  )
}

async function refuseSecond(home: Home): Promise<void> {
  const running = await findReceiver(home)
  if (running?.address.store !== 'embedded') return
  const { url, processId } = running.address
  throw failed(`A receiver runs here already, at ${url} (process ${processId}), and the embedded store has one owner.`)
}

/** Never rejects: a receiver without its demo is still a receiver. */
async function demonstrate(receiver: Receiver, show: Shower): Promise<void> {
  try {
    show.demo(await runDemo(receiver))
  } catch (error) {
    show.event({ kind: 'notice', level: 'warning', message: 'The demo failed.', error: sentenceOf(error) })
  }
}

function openingLine(choice: StoreChoice): string {
  return choice.kind === 'embedded' ? 'Opening the embedded database…' : 'Connecting to PostgreSQL…'
}

/** A newcomer sees it work without a second terminal. Somebody's own database gets no events that nobody asked for. */
async function wantsDemo(
  values: { readonly demo?: boolean | undefined; readonly 'no-demo'?: boolean | undefined },
  choice: StoreChoice,
  { inbox }: Receiver,
): Promise<boolean> {
  if (values.demo === true) return true
  if (values['no-demo'] === true || choice.kind === 'postgres') return false
  return (await inbox.receipts.find({ limit: 1 })).length === 0
}

type Shower = {
  readonly event: Parameters<typeof startReceiver>[0]['listener']
  readonly started: (receiver: Receiver, choice: StoreChoice, where: PortChoice) => void
  readonly demo: (report: Awaited<ReturnType<typeof runDemo>>) => void
  readonly next: () => void
  readonly stopped: () => void
}

/** Either lines for people or one JSON document per line. */
function showerOf({ values, terminal, program }: Call<typeof options>): Shower {
  const { print, tell, paint } = terminal
  const printJson = (document: object): void => print(JSON.stringify({ at: new Date(), ...document }))
  if (values.json === true) {
    return {
      event: printJson,
      started: (receiver, choice) => printJson(startedDocument(receiver, choice)),
      demo: (report) => printJson({ kind: 'demo', ...report }),
      next: () => {},
      stopped: () => printJson({ kind: 'stopped' }),
    }
  }
  const view = createLiveView(paint)
  return {
    event: (event) => print(view.line(event, new Date())),
    started: (receiver, choice, where) => {
      print(bannerOf({ receiver, choice, where, program, paint }))
      print(`\n${paint('dim', view.titles())}`)
    },
    demo: (report) => print(demoSummary(report, paint)),
    next: () => print(paint('dim', 'Waiting for webhooks. Ctrl+C stops.')),
    stopped: () => tell('Stopped. Everything that was acknowledged is in the store.'),
  }
}
