import type { ShadowReportOptions, Store } from '../../index.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, jsonOption, storeOptions } from '../common-options.ts'
import { parseMoment } from '../duration.ts'
import { type ExitCode, failed, sentenceOf, wrongUsage } from '../failure.ts'
import { homeOf } from '../home.ts'
import { chooseStore, type SqlTransaction } from '../open-store.ts'
import { wholeNumber } from '../parse-arguments.ts'
import { loadProvider } from '../provider-catalogue.ts'
import { shadowText } from '../shadow-texts.ts'
import { nameOnly, withStoreInbox } from '../store-inbox.ts'
import { sourceOf } from './gaps.ts'

const options = {
  since: { type: 'string', value: 'time', meaning: 'calls since then: ISO 8601, or ago as in 2h, 3d; default 7d' },
  effects: {
    type: 'string',
    value: 'sql',
    meaning: 'how often events took effect: a query that gives ids and counts for the ids in $1',
  },
  provider: { type: 'string', value: 'name', meaning: 'whose retry window counts; default the name of the source' },
  deadline: { type: 'string', value: 'seconds', meaning: 'how long the provider waits; default what is known of it' },
  limit: { type: 'string', value: 'n', meaning: 'name at most so many events of each kind; default 10' },
  ...storeOptions,
  ...environmentOption,
  ...jsonOption,
} as const

/** Says what a handler beside Oncehook did. */
export const shadowCommand: Command = asCommand({
  name: 'shadow',
  summary: 'Look at a handler that is watched: what it doubled, and what it lost',
  forms: ['<source> [options]'],
  options,
  examples: ['shadow stripe --since 24h', 'shadow stripe --effects "$(cat count-effects.sql)"'],
  run: shadow,
})

/** Ends with 1 if something was doubled or lost, or a forgery was accepted. */
async function shadow(call: Call<typeof options>): Promise<ExitCode> {
  const { values, terminal, environment, directory, program } = call
  const source = sourceOf(call)
  const since = parseMoment(values.since ?? '7d', new Date())
  if (since === undefined)
    throw wrongUsage(`--since is ${JSON.stringify(values.since)}: give a time, or how long ago: 2h, 3d.`)
  const limit = wholeNumber('limit', values.limit, { atLeast: 0, atMost: 10_000 }) ?? 10
  const deadlineSeconds = wholeNumber('deadline', values.deadline, { atLeast: 1, atMost: 3600 })
  const make = await loadProvider(values.provider ?? source)
  if (make === undefined && values.provider !== undefined) throw wrongUsage(`There is no provider ${values.provider}.`)
  const provider = make?.({ unverified: true }) ?? nameOnly()
  const home = homeOf(directory)
  const choice = chooseStore(values, environment, home)
  const place = { choice, home, environment: values.environment ?? 'default', program }
  const report = await withStoreInbox(place, { [source]: provider }, (inbox, store) =>
    inbox.shadow.report({
      source,
      since,
      limit,
      ...(deadlineSeconds !== undefined && { deadlineSeconds }),
      ...(values.effects !== undefined && { countEffects: counter(store, values.effects) }),
    }),
  )
  terminal.print(values.json === true ? JSON.stringify(report) : shadowText(report, terminal.paint))
  const { doubled, withoutEffect, givenUp, acceptedForgeries } = report
  return [doubled, withoutEffect, givenUp, acceptedForgeries].some((finding) => (finding?.count ?? 0) > 0) ? 1 : 0
}

/** The user's own query, which may read and nothing else. */
function counter(store: Store<SqlTransaction>, text: string): NonNullable<ShadowReportOptions['countEffects']> {
  return async (eventIds) => {
    const limits = { handler: '--effects', timeoutSeconds: 60, abort: new AbortController() }
    const rows = await store
      .transaction((transaction) =>
        transaction.runHandler(async (tx) => {
          await tx.query('set local transaction_read_only = on')
          return (await tx.query(text, [[...eventIds]])).rows
        }, limits),
      )
      .catch((error: unknown) => {
        // What the database itself said: to our own statements a refusal to write means something else.
        const reason = error instanceof Error && error.cause instanceof Error ? error.cause : error
        throw failed(`The query of --effects failed: ${sentenceOf(reason)}`, error)
      })
    return new Map(rows.map(toCount))
  }
}

function toCount(row: unknown): readonly [string, number] {
  const [id, count] = Object.values(row as object) as readonly unknown[]
  if (typeof id === 'string' && Number.isFinite(Number(count))) return [id, Number(count)]
  throw failed('The query of --effects has to give two columns: the id of an event, and a count.')
}
