import type { AlertFigures } from '../store/alert-store.ts'
import { isRuleName } from './alert-options.ts'
import type { RuleName } from './rule-options.ts'
import { duration, many, percent, round } from './words.ts'

/** What an alert says: a line, what was seen, and what to do. */
export type AlertText = { readonly title: string; readonly what: string; readonly advice: string }

type About = { readonly source: string; readonly figures: AlertFigures }

/** The figures are those of the moment that is spoken of. */
export function alertText(rule: string, source: string | undefined, figures: AlertFigures): AlertText {
  if (isRuleName(rule)) return texts[rule]({ source: source ?? 'all sources', figures })
  return { title: `${rule} of ${source ?? 'all sources'}`, what: '', advice: '' }
}

const texts: Readonly<Record<RuleName, (about: About) => AlertText>> = {
  duplicates: ({ source, figures }) => ({
    title: `More copies than usual from ${source}`,
    what:
      `${round(number(figures, 'copies'))} of ${many(number(figures, 'deliveries'), 'delivery', 'deliveries')} in the last 15 min were ` +
      `copies of known events (${percent(number(figures, 'share'))}); usual are ${percent(number(figures, 'usual'))}.`,
    advice: `See why they come again: oncehook patterns ${source}. Slow or failing answers make providers send again.`,
  }),
  firstAttemptErrors: ({ source, figures }) => ({
    title: `Handlers of ${source} fail`,
    what:
      `The first attempt failed for ${round(number(figures, 'failed'))} of ${many(number(figures, 'handled'), 'event')} in the last 15 min ` +
      `(${percent(number(figures, 'share'))}); the limit is ${percent(number(figures, 'limit'))}.`,
    advice: `Read the errors: oncehook receipts --source ${source} --status retrying,failed. What failed inline has no receipt: its errors are in the log and in the table of attempts.`,
  }),
  lag: ({ figures }) => ({
    title: 'Events wait to be processed',
    what:
      `The oldest, of ${text(figures, 'oldest')}, has been due for ${duration(number(figures, 'seconds'))}; the limit is ` +
      `${duration(number(figures, 'limit'))}. ${atMost(number(figures, 'waiting'))} due.`,
    advice:
      'Check that a worker runs (inbox.start, or inbox.drain by a timer) and has handlers for them: oncehook receipts --pending. If handlers are slow, raise worker.concurrency.',
  }),
  deadLetters: ({ source, figures }) => ({
    title: `New dead letters of ${source}`,
    what: `${many(number(figures, 'count'), 'event')} of ${source} failed for good in the last 15 min.`,
    advice: `See why: oncehook dead --source ${source}. When the cause is mended: oncehook replay --source ${source} --status failed --why "mended".`,
  }),
  deadMessages: ({ source, figures }) => ({
    title: `Messages about events of ${source} could not be sent`,
    what: `${many(number(figures, 'count'), 'message')} of the outbox failed for good in the last 15 min.`,
    advice:
      "See why: inbox.messages.find({ status: 'failed' }). When the target works again: inbox.messages.replay({ status: 'failed' }).",
  }),
  signatureFailures: ({ source, figures }) => ({
    title: `Deliveries for ${source} are refused`,
    what:
      `${many(number(figures, 'forged'), 'delivery', 'deliveries')} in the last 15 min had no valid signature; usual are ` +
      `${round(number(figures, 'usual'))}. ${many(number(figures, 'authentic'), 'authentic one', 'authentic ones')} came in the same time.`,
    advice:
      number(figures, 'authentic') === 0
        ? 'None was valid, so the secret has probably been changed: give the new one beside the old one.'
        : 'Others were valid, so the secret is right: somebody may be trying the address, or a second endpoint has another secret.',
  }),
  silence: ({ source, figures }) => ({
    title: `Nothing comes from ${source}`,
    what: `Nothing has been heard of ${source} for ${duration(number(figures, 'minutes') * 60)}; ${rhythm(figures)}.`,
    advice: `Check that the endpoint can be reached and is still registered and switched on at the provider. What was missed may have to be asked for there.`,
  }),
  deadline: ({ source, figures }) => ({
    title: `Answers to ${source} are nearly too late`,
    what:
      `${round(number(figures, 'near'))} of ${many(number(figures, 'answered'), 'answer')} in the last 15 min took ` +
      `${duration(number(figures, 'nearSeconds'))} or more, and ${round(number(figures, 'late'))} longer than the ` +
      `${duration(number(figures, 'deadlineSeconds'))} for which it waits. The slowest took ${duration(number(figures, 'slowestSeconds'))}.`,
    advice: `A late answer is sent again. Do less before the answer, or run the handlers of ${source} queued.`,
  }),
  upkeep: ({ figures }) => ({
    title: 'Upkeep is behind',
    what: `Not done for ${duration(number(figures, 'seconds'))} after it was due: ${text(figures, 'tasks')}. The limit is ${duration(number(figures, 'limit'))}.`,
    advice: 'The reason is in the log, and in the column detail of the table upkeep. Tables grow until it is done.',
  }),
}

function rhythm(figures: AlertFigures): string {
  const missing = number(figures, 'missing')
  if (missing > 0) {
    return `in the same time of the weeks before at least ${many(missing, 'delivery', 'deliveries')} came`
  }
  return `the longest silence of the last four weeks was ${duration(number(figures, 'longestMinutes') * 60)}`
}

/** More are not counted. */
const mostCounted = 10_000

function atMost(count: number): string {
  return count >= mostCounted ? `${mostCounted} events or more are` : many(count, 'event is', 'events are')
}

function number(figures: AlertFigures, name: string): number {
  const value = figures[name]
  return typeof value === 'number' ? value : 0
}

function text(figures: AlertFigures, name: string): string {
  return String(figures[name] ?? '')
}
