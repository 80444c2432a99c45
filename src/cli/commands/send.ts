import { readFile } from 'node:fs/promises'
import { loadSamples } from '../../testing/samples/index.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { jsonOption } from '../common-options.ts'
import { findReceiver, type RunningReceiver } from '../control-client.ts'
import { describeDuration } from '../duration.ts'
import { type ExitCode, failed, wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import { type Answered, composeEvent, type OutgoingEvent } from '../outgoing.ts'
import { wholeNumber } from '../parse-arguments.ts'
import { providerNames } from '../provider-catalogue.ts'
import { sendAll } from '../send-all.ts'
import { answerLine, summaryOf } from '../send-texts.ts'
import { senderFor, strangerFor } from '../sources.ts'
import { drawTable } from '../table.ts'

const options = {
  to: {
    type: 'string',
    value: 'url',
    meaning: 'default: the receiver that runs here, else http://127.0.0.1:4400/in/<provider>',
  },
  id: { type: 'string', value: 'id', meaning: 'the event id; default a new one' },
  times: { type: 'string', value: 'n', meaning: 'send it so often: redeliveries of one event' },
  distinct: { type: 'boolean', meaning: 'with --times: as many different events' },
  parallel: { type: 'boolean', meaning: 'all at once instead of one after the other' },
  secret: {
    type: 'string',
    value: 'text',
    meaning: 'default $<PROVIDER>_WEBHOOK_SECRET, else ./.oncehook/secrets.json',
  },
  data: { type: 'string', value: 'file', meaning: 'a JSON file with the payload, in place of a sample' },
  forge: { type: 'boolean', meaning: 'sign with a wrong secret; to be refused is success then' },
  list: { type: 'boolean', meaning: 'show the providers and the types there are samples of' },
  ...jsonOption,
} as const

/** Sends signed events. */
export const sendCommand: Command = asCommand({
  name: 'send',
  summary: 'Send a realistic, signed event, once or many times',
  forms: ['<provider> [type] [options]', '--list'],
  options,
  examples: [
    'send stripe invoice.paid',
    'send github push --times 20 --parallel',
    'send shopify --to https://staging.example.com/webhooks/shopify --secret "$SHOPIFY_SECRET"',
    'send stripe --forge',
  ],
  run: send,
})

async function send(call: Call<typeof options>): Promise<ExitCode> {
  const { values, positionals, terminal, environment, directory } = call
  if (values.list === true) return list(call)
  const [source, type, unexpected] = positionals
  if (source === undefined) throw wrongUsage(`Which provider? There are: ${providerNames.join(', ')}.`)
  if (unexpected !== undefined)
    throw wrongUsage(`send takes a provider and a type, and no ${JSON.stringify(unexpected)}.`)
  const times = wholeNumber('times', values.times, { atLeast: 1, atMost: 100_000 }) ?? 1
  if (values.distinct === true && values.id !== undefined) throw wrongUsage('Give either --distinct or --id.')

  const home = homeOf(directory)
  const provider = await senderFor(source, { secret: values.secret, home, environment })
  const signer = values.forge === true ? await strangerFor(source) : provider
  const running = await findReceiver(home)
  const url = addressOf(values.to, running, source)
  const payload = values.data === undefined ? undefined : await readPayload(values.data)
  const wish = { source, type, id: values.id, payload }
  const compose = (): Promise<OutgoingEvent> => composeEvent(signer, wish, { url, at: new Date() })
  const events = await Promise.all(Array.from({ length: values.distinct === true ? times : 1 }, compose))

  const startedAt = performance.now()
  const answers = await sendAll({
    deliveries: Array.from({ length: times }, (_, index) => events[index % events.length] as OutgoingEvent),
    order: values.parallel === true ? 'parallel' : 'one_by_one',
    onAnswer: (answer, index) => {
      if (values.json !== true) terminal.print(answerLine(answer, index, terminal.paint))
    },
  })
  const milliseconds = performance.now() - startedAt
  const isForged = values.forge === true
  const effects = isForged ? undefined : await effectsOf({ running, url, source, events, answers })
  const report = { source, type: events[0]?.type, url, events: events.flatMap(({ ids }) => ids), answers, effects }
  if (values.json === true) terminal.print(JSON.stringify({ ...report, milliseconds }))
  else terminal.print(summaryOf({ ...report, took: describeDuration(milliseconds), paint: terminal.paint }))
  if (answers.every(({ status }) => status === undefined)) throw nobodyThere(url, answers[0]?.error, call.program)
  return answers.every((answer) => isSuccess(answer, isForged ? 'refusal' : 'acceptance')) ? 0 : 1
}

async function list({ values, terminal }: Call<typeof options>): Promise<0> {
  const rows = await Promise.all(
    providerNames.map(async (name) => ({ provider: name, types: (await loadSamples(name)).types })),
  )
  if (values.json === true) terminal.print(JSON.stringify(rows))
  else
    terminal.print(
      drawTable(
        [{ title: 'provider' }, { title: 'types' }],
        rows.map(({ provider, types }) => [provider, types.join(', ')]),
      ),
    )
  return 0
}

function isSuccess({ status }: Answered, wanted: 'acceptance' | 'refusal'): boolean {
  if (status === undefined) return false
  return wanted === 'refusal' ? status === 401 : status >= 200 && status < 300
}

function addressOf(to: string | undefined, running: RunningReceiver | undefined, source: string): string {
  if (to === undefined) return `${running?.address.url ?? 'http://127.0.0.1:4400'}/in/${source}`
  if (/^https?:\/\//i.test(to) && URL.canParse(to)) return to
  throw wrongUsage('--to is not a complete address: it has to start with http:// or https://.')
}

async function readPayload(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw failed(`The file ${path} of --data cannot be read.`, error)
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw failed(`The file ${path} of --data is not JSON.`, error)
  }
}

/** How often the events took effect, if the receiver is one that can tell. */
async function effectsOf({
  running,
  url,
  source,
  events,
  answers,
}: {
  readonly running: RunningReceiver | undefined
  readonly url: string
  readonly source: string
  readonly events: readonly OutgoingEvent[]
  readonly answers: readonly Answered[]
}): Promise<number | undefined> {
  const isOurs = running !== undefined && url === `${running.address.url}/in/${source}`
  if (!isOurs || !answers.some((answer) => isSuccess(answer, 'acceptance'))) return undefined
  const ids = events.flatMap((event) => event.ids)
  // Handlers run after the answer, but not long after.
  for (let round = 0; ; round += 1) {
    const count = await running.control.countEffects(source, ids)
    if (count === undefined || count >= ids.length || round === 50) return count
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function nobodyThere(url: string, reason: string | undefined, program: string): Error {
  const { origin } = new URL(url)
  if (reason !== 'ECONNREFUSED') return failed(`${origin} did not answer (${reason}).`)
  return failed(`Nobody listens at ${origin}. Run "${program} start" in another terminal, or give --to.`)
}
