import type { Alert, AlertMute } from '../index.ts'
import type { Paint } from './colour.ts'
import { dayAndTime, describeDuration } from './duration.ts'
import { printable } from './printable.ts'
import { drawTable } from './table.ts'
import { wrapped } from './wrap.ts'

const width = 110

/** Open ones as blocks with what to do, resolved ones as a table. */
export function alertsText(alerts: readonly Alert[], { now, paint }: { now: Date; paint: Paint }): string {
  const open = alerts.filter(({ resolvedAt }) => resolvedAt === undefined)
  const resolved = alerts.filter(({ resolvedAt }) => resolvedAt !== undefined)
  const parts = [
    ...open.map((alert) => openText(alert, { now, paint })),
    ...(resolved.length === 0 ? [] : [resolvedTable(resolved, paint)]),
  ]
  return parts.join('\n\n')
}

/** Who has muted what, until when. */
export function mutesText(mutes: readonly AlertMute[], paint: Paint): string {
  const lines = mutes.map(
    ({ rule = 'everything', source, until, by, why }) =>
      `${rule}${source === undefined ? '' : ` of ${printable(source)}`} until ${dayAndTime(until)}, by ${printable(by)}: ${printable(why)}`,
  )
  return [paint('yellow', 'Muted'), ...lines.map((line) => `  ${line}`)].join('\n')
}

function openText(alert: Alert, { now, paint }: { now: Date; paint: Paint }): string {
  const { id, rule, title, text, advice, openedAt, acknowledged, toldAt } = alert
  const age = describeDuration(now.getTime() - openedAt.getTime())
  const notes = [
    ...(acknowledged === undefined
      ? []
      : [`Acknowledged by ${printable(acknowledged.by)}: ${printable(acknowledged.why)}`]),
    ...(toldAt === undefined ? ['Muted: nobody was told.'] : []),
  ]
  return [
    `${paint('red', '●')} ${paint('bold', printable(title))}  ${paint('dim', `alert ${id}, ${rule}, for ${age}`)}`,
    wrapped(printable(text), { width, indent: '  ' }),
    wrapped(printable(advice), { width, indent: '  ' }),
    ...notes.map((note) => paint('dim', wrapped(note, { width, indent: '  ' }))),
  ].join('\n')
}

function resolvedTable(alerts: readonly Alert[], paint: Paint): string {
  const columns = [
    { title: 'alert', align: 'right' },
    { title: 'state' },
    { title: 'rule' },
    { title: 'source' },
    { title: 'opened' },
    { title: 'lasted', align: 'right' },
  ] as const
  const rows = alerts.map(({ id, rule, source, openedAt, lastSeenAt }) => [
    id,
    paint('green', 'resolved'),
    rule,
    printable(source ?? 'all'),
    dayAndTime(openedAt),
    describeDuration(lastSeenAt.getTime() - openedAt.getTime()),
  ])
  return drawTable(columns, rows)
}
