import { retryPlanOf, type SimulationReport, simulate } from '../../simulator/simulate.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { jsonOption } from '../common-options.ts'
import { type ExitCode, sentenceOf, wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import { wholeNumber } from '../parse-arguments.ts'
import { loadProvider, providerNames } from '../provider-catalogue.ts'
import { untilAskedToStop } from '../signals.ts'
import { greetingLines, lostLine, planText, progressLine, simulationSummary } from '../simulate-texts.ts'
import { faultsOption, lengthOption, outageOption, rateOption, secondsOption, speedOption } from '../simulate-values.ts'
import { senderFor, variableOf } from '../sources.ts'

const options = {
  secret: {
    type: 'string',
    value: 'text',
    meaning: 'what the endpoint verifies with; default $<PROVIDER>_WEBHOOK_SECRET, else ./.oncehook/secrets.json',
  },
  events: { type: 'string', value: 'n', meaning: 'how many events happen; default 100' },
  rate: { type: 'string', value: 'rate', meaning: 'how often, in simulated time, such as 5/s or 100/h; default 1/min' },
  types: { type: 'string', value: 'types', meaning: 'only these types, with commas; default all there are samples of' },
  speed: { type: 'string', value: 'speed', meaning: 'such as 1000x; default jump: no waiting between attempts' },
  'real-time': { type: 'boolean', meaning: 'as slowly as the provider' },
  faults: {
    type: 'string',
    value: 'rates',
    meaning: 'timeout, lost-answer, reset, refused, slow, duplicate, reorder: "timeout=5%,lost-answer=10%"',
  },
  outage: {
    type: 'string',
    value: 'time',
    meaning: 'the endpoint is out of reach for so long: 3h, or 3h@30m for its begin',
  },
  seed: { type: 'string', value: 'text', meaning: 'make the same choices as another run' },
  deadline: {
    type: 'string',
    value: 'seconds',
    meaning: 'how long the provider waits; default what is known, else 10',
  },
  for: { type: 'string', value: 'time', meaning: 'stop after so much simulated time; default when all is settled' },
  'sign-with': { type: 'string', value: 'time', meaning: '"real" time, the default, or the "simulated" one' },
  'verify-token': { type: 'string', value: 'text', meaning: 'for the greeting of WhatsApp and Messenger' },
  'skip-greeting': { type: 'boolean', meaning: 'send events at once' },
  'at-once': { type: 'string', value: 'n', meaning: 'how many requests may be under way at once; default 10' },
  plan: { type: 'boolean', meaning: 'show when the provider would send, and send nothing' },
  ...jsonOption,
} as const

type SimulateCall = Call<typeof options>

/** Behaves like a provider. */
export const simulateCommand: Command = asCommand({
  name: 'simulate',
  summary: 'Be a provider: events, deadline and retries as it has them, in seconds',
  forms: ['<provider> <url> [options]', '<provider> --plan'],
  options,
  examples: [
    'simulate stripe http://127.0.0.1:3000/webhooks/stripe --secret "$STRIPE_WEBHOOK_SECRET"',
    'simulate shopify http://127.0.0.1:3000/shopify --faults "lost-answer=10%,duplicate=5%,reorder=10%" --outage 2h',
    'simulate slack http://127.0.0.1:3000/slack --events 20 --rate 2/s --speed 60x',
    'simulate adyen --plan',
  ],
  run,
})

async function run(call: SimulateCall): Promise<ExitCode> {
  const { values, positionals, terminal } = call
  const [name, url, unexpected] = positionals
  if (name === undefined) throw wrongUsage(`Which provider? There are: ${providerNames.join(', ')}.`)
  if (unexpected !== undefined)
    throw wrongUsage(`simulate takes a provider and an address, and no ${JSON.stringify(unexpected)}.`)
  if (values.plan === true) return showPlan(call, name)
  if (url === undefined) throw wrongUsage('Which endpoint? Give its address after the provider.')

  const report = await simulateProvider(call, name, url)
  terminal.progress(undefined)
  if (values.json === true) terminal.print(JSON.stringify(report))
  else if (report.verdict === 'could_not_run') terminal.tell(`oncehook: ${report.why}`)
  else terminal.print(simulationSummary(report, terminal.paint))
  switch (report.verdict) {
    case 'delivered':
    case 'stopped':
      return 0
    case 'lost_events':
    case 'not_greeted':
      return 1
    case 'could_not_run':
      return 2
  }
}

async function showPlan({ values, terminal }: SimulateCall, name: string): Promise<0> {
  const facts = (await loadProvider(name))?.({ unverified: true }).facts
  if (facts === undefined)
    throw wrongUsage(`There is no provider ${JSON.stringify(name)}. There are: ${providerNames.join(', ')}.`)
  const plan = retryPlanOf(facts)
  terminal.print(
    values.json === true ? JSON.stringify({ provider: name, plan }) : planText(facts.title, plan, terminal.paint),
  )
  return 0
}

async function simulateProvider(call: SimulateCall, name: string, url: string): Promise<SimulationReport> {
  const { values, terminal, environment, directory } = call
  const events = wholeNumber('events', values.events, { atLeast: 1, atMost: 1_000_000 }) ?? 100
  const given = {
    everySeconds: rateOption(values.rate),
    types: values.types?.split(',').map((type) => type.trim()),
    speed: speedOption(values.speed, values['real-time'] === true),
    faults: faultsOption(values.faults),
    outage: outageOption(values.outage),
    seed: values.seed,
    deadlineSeconds: secondsOption('deadline', values.deadline),
    forSeconds: lengthOption('for', values.for),
    signWith: signWithOption(values['sign-with']),
    atOnce: wholeNumber('at-once', values['at-once'], { atLeast: 1, atMost: 1_000 }),
  }
  const provider = await senderFor(name, { secret: values.secret, home: homeOf(directory), environment })
  const secret = values.secret ?? environment[variableOf(name)]
  const known = { secret, verifyToken: values['verify-token'] }
  const isQuiet = values.json === true
  const say = (line: string): void => {
    terminal.progress(undefined)
    if (!isQuiet) terminal.print(line)
  }
  const stop = new AbortController()
  void untilAskedToStop().then(() => stop.abort())
  if (!isQuiet) terminal.print(planText(provider.facts.title, retryPlanOf(provider.facts), terminal.paint))
  try {
    return await simulate({
      provider,
      url,
      events,
      ...defined(given),
      greeting: values['skip-greeting'] === true ? false : defined(known),
      signal: stop.signal,
      onProgress(progress) {
        switch (progress.kind) {
          case 'greeted':
            return greetingLines(progress.greeting, terminal.paint).forEach(say)
          case 'attempted':
            return isQuiet ? undefined : terminal.progress(progressLine(progress.counts, events, progress.attempt.at))
          case 'ended':
            return progress.event.outcome === 'given_up' ? say(lostLine(progress.event, terminal.paint)) : undefined
          case 'switched_off':
            return say(terminal.paint('red', progress.why))
        }
      },
    })
  } catch (error) {
    throw wrongUsage(sentenceOf(error))
  }
}

function signWithOption(text: string | undefined): 'real' | 'simulated' | undefined {
  if (text === undefined || text === 'real' || text === 'simulated') return text
  throw wrongUsage(`--sign-with has to be real or simulated, and not ${JSON.stringify(text)}.`)
}

/** Without the members that nobody gave. */
function defined<Given extends object>(given: Given): { [Name in keyof Given]?: Exclude<Given[Name], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never
}
