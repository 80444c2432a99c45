import type { RetryPattern } from '../api/types.ts'
import { formatCount, formatDuration, many, words } from '../logic/format.ts'
import { Card, Foreign } from '../ui/basics.tsx'

/** How often, after how long and why events came again, drawn. */
export function RetryPicture({ pattern }: { readonly pattern: RetryPattern | null | undefined }) {
  if (pattern == null || pattern.copies === 0)
    return (
      <Card title="Retry pattern">
        <p class="muted">Nothing came twice in the last days.</p>
        {pattern?.documented?.retrySchedule !== undefined && (
          <p class="small muted">Documented: {pattern.documented.retrySchedule}</p>
        )}
      </Card>
    )
  const { delays, causes, copiesPerEvent, remarks, documented, events, copies, isComplete } = pattern
  return (
    <Card
      title="Retry pattern"
      actions={
        <span class="muted small">
          {many(copies, 'copy', 'copies')} of {many(events, 'event')}
          {!isComplete && ', the newest'}
        </span>
      }
    >
      <div class="stack loose">
        <div class="columns">
          <Bars
            title="How long after the delivery before"
            bars={delays.map(({ fromSeconds, toSeconds, copies: count }) => ({
              name: spanText(fromSeconds, toSeconds),
              count,
            }))}
          />
          <div class="stack loose">
            <Bars
              title="Copies of one event"
              bars={copiesPerEvent.map(({ copies: count, events: many }) => ({ name: `×${count}`, count: many }))}
            />
            <Bars title="Why" bars={causes.map(({ cause, copies: count }) => ({ name: words(cause), count }))} />
          </div>
        </div>
        {remarks.length > 0 && (
          <ul class="stack tight remarks">
            {remarks.map((remark) => (
              <li key={remark}>
                <Foreign text={remark} />
              </li>
            ))}
          </ul>
        )}
        {documented?.retrySchedule != null && (
          <p class="small muted">
            {documented.title ?? 'The provider'} documents: {documented.retrySchedule}
          </p>
        )}
      </div>
    </Card>
  )
}

function spanText(fromSeconds: number, toSeconds: number | null | undefined): string {
  return toSeconds == null
    ? `over ${formatDuration(fromSeconds * 1_000)}`
    : `up to ${formatDuration(toSeconds * 1_000)}`
}

type BarsProps = { readonly title: string; readonly bars: readonly { readonly name: string; readonly count: number }[] }

/** A picture that is its own table. */
function Bars({ title, bars }: BarsProps) {
  const most = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <div class="stack tight">
      <h3>{title}</h3>
      <dl class="bars">
        {bars.map(({ name, count }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span class="bar" style={{ width: `${(count / most) * 100}%` }} />
              <span class="number">{count === 0 ? '' : formatCount(count)}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
