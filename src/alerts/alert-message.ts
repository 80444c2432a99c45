import type { AlertFigures } from '../store/alert-store.ts'
import type { AlertFormat } from './alert-options.ts'
import { alertText } from './alert-text.ts'
import { duration } from './words.ts'

/** What is sent to a target, shaped as Standard Webhooks recommends. */
export type AlertMessage = {
  readonly type: 'alert.opened' | 'alert.reminder' | 'alert.resolved'
  readonly timestamp: string
  readonly data: {
    readonly id: string
    readonly environment: string
    readonly rule: string
    /** Not there where the rule looks at all sources together. */
    readonly source?: string
    /** One line. */
    readonly title: string
    /** What happened, to what and since when, with the figures. */
    readonly text: string
    /** What to do. */
    readonly advice: string
    readonly openedAt: string
    readonly resolvedAt?: string
    /** What was measured; of a resolved alert, when it was last seen. */
    readonly figures: AlertFigures
  }
}

/** What a message is about. */
export type AlertToTell = {
  readonly kind: 'opened' | 'reminder' | 'resolved'
  readonly id: string
  readonly environment: string
  readonly rule: string
  readonly source: string | undefined
  readonly openedAt: Date
  readonly lastSeenAt: Date
  readonly at: Date
  readonly figures: AlertFigures
}

export function alertMessage(alert: AlertToTell): AlertMessage {
  const { kind, id, environment, rule, source, openedAt, at, figures } = alert
  const { title, what, advice } = alertText(rule, source, figures)
  return {
    type: `alert.${kind}`,
    timestamp: at.toISOString(),
    data: {
      id,
      environment,
      rule,
      ...(source !== undefined && { source }),
      title: kind === 'resolved' ? `Resolved: ${title}` : title,
      text: [what, historyOf(alert)].filter((sentence) => sentence !== '').join(' '),
      advice: kind === 'resolved' ? '' : advice,
      openedAt: openedAt.toISOString(),
      ...(kind === 'resolved' && { resolvedAt: at.toISOString() }),
      figures,
    },
  }
}

/** As JSON, in the form that the target wants. */
export function messageJson(message: AlertMessage, format: AlertFormat): string {
  return JSON.stringify(format === 'slack' ? slackMessage(message) : message)
}

function historyOf({ kind, openedAt, lastSeenAt, at }: AlertToTell): string {
  const since = minuteOf(openedAt)
  if (kind === 'opened') return `Since ${since}.`
  if (kind === 'reminder') return `It goes on since ${since}, for ${duration(secondsBetween(openedAt, at))}.`
  return `That was the last of it: it went on from ${since} to ${minuteOf(lastSeenAt)}, for ${duration(secondsBetween(openedAt, lastSeenAt))}.`
}

type SlackMessage = { readonly text: string; readonly blocks: readonly unknown[] }

/** Slack cuts nothing off by itself: a header of more than 150 characters is refused, and the whole message with it. */
const longestHeader = 150

const signs = { opened: '🔴', reminder: '🟠', resolved: '🟢' } as const

/** `text` is what a notification shows, `blocks` what the channel does. */
function slackMessage({ type, data }: AlertMessage): SlackMessage {
  const { title, text, advice, id, rule, source, environment, openedAt } = data
  const sign = signs[type.slice('alert.'.length) as keyof typeof signs]
  const context = [`alert ${id}`, rule, source ?? 'all sources', environment, `since ${openedAt}`].join(' · ')
  return {
    text: escaped(`${sign} ${title}. ${text}`),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: `${sign} ${title}`.slice(0, longestHeader), emoji: true } },
      { type: 'section', text: { type: 'mrkdwn', text: escaped(text) } },
      ...(advice === ''
        ? []
        : [{ type: 'section', text: { type: 'mrkdwn', text: `*What to do:* ${escaped(advice)}` } }]),
      { type: 'context', elements: [{ type: 'mrkdwn', text: escaped(context) }] },
    ],
  }
}

/** What Slack would take for a link or a mention. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function minuteOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, (to.getTime() - from.getTime()) / 1000)
}
