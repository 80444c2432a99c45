import type { Alert, AlertMute, AlertRules } from '../../index.ts'
import { alertsText, mutesText } from '../alert-texts.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, jsonOption, storeOptions } from '../common-options.ts'
import { parseMoment } from '../duration.ts'
import { failed, wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import type { Ledger } from '../ledger.ts'
import { withLedger } from '../open-ledger.ts'
import { chooseStore } from '../open-store.ts'
import { wholeNumber } from '../parse-arguments.ts'
import { userName } from '../user-name.ts'

const options = {
  open: { type: 'boolean', meaning: 'only what is not over' },
  source: { type: 'string', value: 'name', meaning: 'only alerts of this source; to mute: default all sources' },
  since: {
    type: 'string',
    value: 'time',
    meaning: 'open, or resolved since: ISO 8601, or ago as in 15m, 2h; default 7d',
  },
  limit: { type: 'string', value: 'n', meaning: 'at most so many, newest first; default 50' },
  until: { type: 'string', value: 'time', meaning: 'to mute: ISO 8601, or for how long: 30m, 2h, 7d' },
  why: { type: 'string', value: 'text', meaning: 'to acknowledge or mute: the reason, which is kept' },
  by: { type: 'string', value: 'name', meaning: 'who does it; default the user of this machine' },
  ...storeOptions,
  ...environmentOption,
  ...jsonOption,
} as const

/** Shows what went wrong, and keeps who has taken it up. */
export const alertsCommand: Command = asCommand({
  name: 'alerts',
  summary: 'Look at alerts: what is wrong, since when, and what to do; acknowledge or mute them',
  forms: ['[options]', 'acknowledge <id> --why <text>', 'mute <rule | all> --until <time> --why <text>'],
  options,
  examples: [
    'alerts',
    'alerts --open --json',
    'alerts acknowledge 12 --why "the database is being moved"',
    'alerts mute silence --source shopify --until 2h --why "maintenance at Shopify"',
  ],
  run: alerts,
})

async function alerts(call: Call<typeof options>): Promise<0> {
  const { values, positionals, environment, directory, program } = call
  const work = workFor(positionals, call)
  const home = homeOf(directory)
  const choice = chooseStore(values, environment, home)
  const place = { choice, home, environment: values.environment ?? 'default', program }
  return withLedger(place, (ledger) => work(ledger))
}

type Work = (ledger: Ledger) => Promise<0>

/** Everything that is written wrongly is found before anything is opened. */
function workFor([verb, subject, unexpected]: readonly string[], call: Call<typeof options>): Work {
  if (unexpected !== undefined) throw wrongUsage(`alerts takes no ${JSON.stringify(unexpected)}.`)
  if (verb === undefined) return show(call)
  if (verb === 'acknowledge' && subject !== undefined) return acknowledge(call, subject)
  if (verb === 'mute' && subject !== undefined) return mute(call, subject)
  throw wrongUsage(`alerts takes acknowledge <id> or mute <rule>, and no ${JSON.stringify(verb)} like that.`)
}

function show({ values, terminal }: Call<typeof options>): Work {
  const now = new Date()
  const limit = wholeNumber('limit', values.limit, { atLeast: 1, atMost: 10_000 })
  const filter = {
    since: momentOf('since', values.since ?? '7d', now),
    ...(values.source !== undefined && { source: values.source }),
    ...(values.open === true && { isOpen: true }),
    ...(limit !== undefined && { limit }),
  }
  return async (ledger) => {
    const found = await ledger.findAlerts(filter)
    const mutes = await ledger.findMutes()
    if (values.json === true) terminal.print(JSON.stringify({ alerts: found, mutes }))
    else print(found, mutes, { now, terminal })
    return 0
  }
}

function print(
  found: readonly Alert[],
  mutes: readonly AlertMute[],
  { now, terminal }: { readonly now: Date; readonly terminal: Call['terminal'] },
): void {
  if (found.length === 0) terminal.tell('There are no alerts.')
  else terminal.print(alertsText(found, { now, paint: terminal.paint }))
  if (mutes.length > 0) terminal.print(`\n${mutesText(mutes, terminal.paint)}`)
}

function acknowledge({ values, terminal }: Call<typeof options>, id: string): Work {
  const note = noteOf(values)
  return async (ledger) => {
    if (!(await ledger.acknowledgeAlert(id, note))) throw failed(`There is no open alert ${id} here.`)
    if (values.json === true) terminal.print(JSON.stringify({ acknowledged: id, ...note }))
    else terminal.print(`Alert ${id} is acknowledged: there will be no reminders of it.`)
    return 0
  }
}

function mute({ values, terminal }: Call<typeof options>, rule: string): Work {
  const note = noteOf(values)
  if (values.until === undefined) throw wrongUsage('--until is missing: say until when, or for how long.')
  const until = momentOf('until', values.until, new Date())
  const muted = {
    ...(rule !== 'all' && { rule: rule as keyof AlertRules }),
    ...(values.source !== undefined && { source: values.source }),
    until,
    ...note,
  }
  return async (ledger) => {
    await ledger.muteAlerts(muted)
    if (values.json === true) terminal.print(JSON.stringify({ muted }))
    else terminal.print(`Nobody is told until ${until.toISOString()}. What is still wrong then is told then.`)
    return 0
  }
}

function noteOf({ why, by }: Call<typeof options>['values']): { readonly by: string; readonly why: string } {
  if (why === undefined || why.trim() === '') throw wrongUsage('--why is missing: give the reason, which is kept.')
  const who = by ?? userName()
  if (who === undefined || who.trim() === '') throw wrongUsage('--by is missing: say who does it.')
  return { by: who, why }
}

/** A length of time is one ago, or for `--until` one from now on. */
function momentOf(name: 'since' | 'until', text: string, now: Date): Date {
  const moment = parseMoment(text, now)
  if (moment === undefined) {
    throw wrongUsage(
      `--${name} is ${JSON.stringify(text)}: give a time such as 2026-01-31T12:00:00Z, or a length of time: 15m, 2h, 7d.`,
    )
  }
  const isLength = /^\d+[smhd]$/.test(text)
  return name === 'until' && isLength ? new Date(2 * now.getTime() - moment.getTime()) : moment
}
