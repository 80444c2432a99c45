import { useEffect, useRef } from 'preact/hooks'
import { words } from '../logic/format.ts'
import type { Row } from '../logic/live-rows.ts'
import { linkTo } from '../logic/route.ts'
import { classOfHttp, classOfStatus } from '../logic/status-class.ts'
import { Foreign, HttpBadge, StatusBadge, Time } from '../ui/basics.tsx'

type EventTableProps = {
  readonly rows: readonly Row[]
  /** The line that the keys are on; -1 for none. */
  readonly place: number
  readonly chosen: ReadonlySet<string>
  readonly onMark: (id: string) => void
  readonly onPlace: (place: number) => void
}

/** One line each, coloured by how it stands. New ones are told to those who listen, but not all of a burst. */
export function EventTable({ rows, place, chosen, onMark, onPlace }: EventTableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  useEffect(() => {
    const line = body.current?.children[place]
    if (line instanceof HTMLElement) line.scrollIntoView({ block: 'nearest' })
  }, [place])
  return (
    <>
      <table class="events">
        <thead>
          <tr>
            <th>
              <span class="hidden-text">Chosen</span>
            </th>
            <th>Status</th>
            <th>Type</th>
            <th>Source</th>
            <th>Event id</th>
            <th class="end">Came</th>
            <th class="end">Received</th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, index) => (
            <EventRow
              key={row.key}
              row={row}
              isAtPlace={index === place}
              isChosen={chosen.has(row.key)}
              onMark={onMark}
              onPlace={() => onPlace(index)}
            />
          ))}
        </tbody>
      </table>
      <p class="hidden-text" role="log" aria-live="polite" aria-relevant="additions text">
        {announcementOf(rows[0])}
      </p>
    </>
  )
}

type EventRowProps = {
  readonly row: Row
  readonly isAtPlace: boolean
  readonly isChosen: boolean
  readonly onMark: (id: string) => void
  readonly onPlace: () => void
}

function EventRow({ row, isAtPlace, isChosen, onMark, onPlace }: EventRowProps) {
  const here = isAtPlace ? { 'aria-current': 'true' as const } : {}
  if (row.kind === 'refusal') {
    const { at, source, outcome, status, reason, detail } = row.refusal
    return (
      <tr data-kind={classOfHttp(status)} data-new="yes" onFocusIn={onPlace} {...here}>
        <td />
        <td>
          <HttpBadge status={status} />
        </td>
        <td class="what">
          <span>{words(outcome)}</span>
          {reason !== undefined && <span class="small muted"> · {words(reason)}</span>}
          {detail !== undefined && (
            <p class="small muted">
              <Foreign text={detail} />
            </p>
          )}
        </td>
        <td>
          <a href={linkTo(['sources', source])}>
            <Foreign text={source} />
          </a>
        </td>
        <td class="muted small">no receipt</td>
        <td />
        <td class="end muted">
          <Time at={at} />
        </td>
      </tr>
    )
  }
  const { id, type, source, eventId, deliveries, receivedAt, status, attempts, lastError } = row.receipt
  return (
    <tr data-kind={classOfStatus(status)} {...(row.isNew ? { 'data-new': 'yes' } : {})} onFocusIn={onPlace} {...here}>
      <td>
        <input type="checkbox" checked={isChosen} aria-label={`Choose event ${eventId}`} onChange={() => onMark(id)} />
      </td>
      <td>
        <StatusBadge status={status} />
      </td>
      <td class="what">
        <a href={linkTo(['receipts', id])}>
          <Foreign text={type} />
        </a>
        {attempts > 1 && <span class="small muted"> · {attempts} attempts</span>}
        {lastError != null && (status === 'failed' || status === 'retrying') && (
          <p class="small error-line">
            <Foreign text={lastError} />
          </p>
        )}
      </td>
      <td>
        <Foreign text={source} />
      </td>
      <td class="mono id">
        <Foreign text={eventId} />
      </td>
      <td class="end number">
        {deliveries > 1 ? <span class="badge busy">×{deliveries}</span> : <span class="muted">once</span>}
      </td>
      <td class="end muted">
        <Time at={receivedAt} />
      </td>
    </tr>
  )
}

function announcementOf(row: Row | undefined): string {
  if (row === undefined || (row.kind === 'receipt' && !row.isNew)) return ''
  if (row.kind === 'refusal') return `A request to ${row.refusal.source} was refused: ${words(row.refusal.outcome)}.`
  return `New event of ${row.receipt.source}: ${row.receipt.type}, ${words(row.receipt.status)}.`
}
