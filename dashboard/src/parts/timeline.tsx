import type { ComponentChildren } from 'preact'
import type { TimelineEntry } from '../api/types.ts'
import { formatDuration, formatTime, words } from '../logic/format.ts'
import { classOfHttp, classOfStatus, type StatusClass } from '../logic/status-class.ts'
import { Foreign, StatusBadge } from '../ui/basics.tsx'
import { Icon, type IconName } from '../ui/icons.tsx'

/** What did this event do? One line for everything that happened, oldest first. */
export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  const begin = entries[0]?.at
  return (
    <ol class="timeline">
      {entries.map((entry, index) => {
        const { kind, icon, title, more } = describe(entry)
        return (
          <li key={`${index} ${entry.kind} ${entry.at}`} data-kind={kind}>
            <span class="dot">
              <Icon name={icon} />
            </span>
            <div class="stack tight">
              <div class="timeline-head">
                <strong>{title}</strong>
                <time class="small muted number" dateTime={entry.at} title={formatTime(entry.at)}>
                  {index === 0 ? formatTime(entry.at).slice(0, 19) : sinceText(begin, entry.at)}
                </time>
              </div>
              {more}
            </div>
          </li>
        )
      })}
    </ol>
  )
}

function sinceText(begin: string | undefined, at: string): string {
  const milliseconds = Date.parse(at) - Date.parse(begin ?? at)
  return `${milliseconds < 0 ? '−' : '+'}${formatDuration(Math.abs(milliseconds))}`
}

type Described = {
  readonly kind: StatusClass
  readonly icon: IconName
  readonly title: ComponentChildren
  readonly more?: ComponentChildren
}

function describe(entry: TimelineEntry): Described {
  switch (entry.kind) {
    case 'received':
      return {
        kind: 'good',
        icon: 'capture',
        title: 'Received and recorded',
        more: <p class="small muted">The signature fitted, and the event was new.</p>,
      }
    case 'delivery':
      return describeDelivery(entry)
    case 'attempt':
      return describeAttempt(entry)
    case 'effect':
      return {
        kind: 'good',
        icon: 'check',
        title: 'Effect',
        more: (
          <p class="small">
            <code>
              <Foreign text={entry.key} />
            </code>{' '}
            <span class="muted">
              by <Foreign text={entry.handler} />
            </span>
            {entry.result != null && (
              <span class="muted">
                {' '}
                → <Foreign text={entry.result.slice(0, 200)} />
              </span>
            )}
          </p>
        ),
      }
    case 'version':
      return {
        kind: 'good',
        icon: 'up',
        title: 'Version',
        more: (
          <p class="small">
            <code>
              <Foreign text={entry.key} />
            </code>{' '}
            <span class="muted">
              is now <Foreign text={entry.version} />
            </span>
          </p>
        ),
      }
    case 'message':
      return describeMessage(entry)
    case 'replay':
    case 'hold':
    case 'release':
      return {
        kind: 'busy',
        icon: entry.kind === 'replay' ? 'replay' : 'hold',
        title: { replay: 'Replayed', hold: 'Held', release: 'Released' }[entry.kind],
        more: (
          <p class="small muted">
            by <Foreign text={entry.by} />: <Foreign text={entry.why} />
          </p>
        ),
      }
  }
}

const deliveryTitles: Readonly<Record<string, string>> = {
  duplicate: 'Came again, absorbed',
  mutated: 'Came again with another body, absorbed',
  replayed_body: 'Its body came again under another id',
}

function describeDelivery({ delivery }: Extract<TimelineEntry, { kind: 'delivery' }>): Described {
  const { kind, status, latencyMilliseconds, deliveryId, detail } = delivery
  return {
    kind: kind === 'duplicate' ? 'quiet' : kind === 'mutated' ? 'warn' : classOfHttp(status),
    icon: 'copy',
    title: deliveryTitles[kind] ?? words(kind),
    more: (
      <p class="small muted">
        answered {status} in {formatDuration(latencyMilliseconds)}
        {deliveryId != null && (
          <>
            {' '}
            · delivery <Foreign text={deliveryId} />
          </>
        )}
        {detail != null && (
          <>
            {' '}
            · <Foreign text={detail} />
          </>
        )}
      </p>
    ),
  }
}

const attemptTitles = {
  succeeded: 'Handler succeeded',
  failed: 'Handler failed, rolled back',
  deferred: 'Put off by the handler',
  abandoned: 'Worker died or froze',
} as const

function describeAttempt({ attempt: run }: Extract<TimelineEntry, { kind: 'attempt' }>): Described {
  const took = Date.parse(run.endedAt) - Date.parse(run.startedAt)
  return {
    kind: classOfStatus(run.outcome),
    icon: run.outcome === 'succeeded' ? 'check' : run.outcome === 'failed' ? 'close' : 'pause',
    title: attemptTitles[run.outcome],
    more: (
      <>
        <p class="small muted">
          attempt {run.attempt} of <Foreign text={run.handler} />, {formatDuration(took)}
        </p>
        {run.error != null && (
          <p class="small error-line">
            <Foreign text={run.error} />
          </p>
        )}
      </>
    ),
  }
}

function describeMessage({ message }: Extract<TimelineEntry, { kind: 'message' }>): Described {
  const { target, key, status, attempts, lastError } = message
  return {
    kind: classOfStatus(status),
    icon: 'outbox',
    title: (
      <>
        Message to <Foreign text={target} /> <StatusBadge status={status} />
      </>
    ),
    more: (
      <>
        <p class="small muted">
          key{' '}
          <code>
            <Foreign text={key} />
          </code>
          {attempts > 1 && `, ${attempts} attempts`}
        </p>
        {lastError != null && (
          <p class="small error-line">
            <Foreign text={lastError} />
          </p>
        )}
      </>
    ),
  }
}
