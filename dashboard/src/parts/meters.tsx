import type { DeadlineMeter as Deadline, SecretUse } from '../api/types.ts'
import { formatCount, formatDuration, formatShare, many, words } from '../logic/format.ts'
import { Badge, Card, Time } from '../ui/basics.tsx'

/** How near the answers come to the provider's deadline. */
export function DeadlineMeter({ meter }: { readonly meter: Deadline | null | undefined }) {
  if (meter == null)
    return (
      <Card title="Deadline meter">
        <p class="muted">The provider does not say how long it waits, or nothing has come yet.</p>
      </Card>
    )
  const { deadlineSeconds, deliveries, pastHalf, pastMost, pastAll, slowestSeconds, retriesCaused, days } = meter
  const parts = [
    { name: 'in the first half', count: deliveries - pastHalf, kind: 'good' },
    { name: 'past half', count: pastHalf - pastMost, kind: 'busy' },
    { name: 'past 80 %', count: pastMost - pastAll, kind: 'warn' },
    { name: 'too late', count: pastAll, kind: 'bad' },
  ]
  return (
    <Card title="Deadline meter" actions={<span class="muted small">{many(days, 'day')}</span>}>
      <div class="stack">
        <div class="meter-bar" role="img" aria-label={parts.map(({ name, count }) => `${count} ${name}`).join(', ')}>
          {parts.map(({ name, count, kind }) => (
            <span key={name} data-kind={kind} style={{ flexGrow: count }} />
          ))}
        </div>
        <ul class="legend">
          {parts.map(({ name, count, kind }) => (
            <li key={name}>
              <i style={{ background: `var(--${kind})` }} />
              {formatCount(count)} {name}
            </li>
          ))}
        </ul>
        <p>
          The slowest took <strong>{formatDuration(slowestSeconds * 1_000)}</strong>,{' '}
          {formatShare(slowestSeconds / deadlineSeconds)} of {formatDuration(deadlineSeconds * 1_000)}.
        </p>
        {retriesCaused > 0 && (
          <p class="note warn">
            {many(retriesCaused, 'delivery', 'deliveries')} came again because the answer was late.
          </p>
        )}
      </div>
    </Card>
  )
}

const verdicts = { in_use: 'good', quiet: 'warn', unknown: 'quiet' } as const

/** Which secrets still verify something: an old one that is quiet can go. */
export function SecretMeters({ secrets }: { readonly secrets: readonly SecretUse[] | null | undefined }) {
  return (
    <Card title="Rotation meter">
      {secrets == null || secrets.length === 0 ? (
        <p class="muted">This source has no secrets of its own, or they are looked up for each delivery.</p>
      ) : (
        <ul class="stack">
          {secrets.map((secret) => (
            <li key={secret.position} class="stack tight">
              <div class="row wrap">
                <strong>Secret {secret.position}</strong>
                <Badge kind={verdicts[secret.verdict]}>{words(secret.verdict)}</Badge>
                <span class="grow" />
                <span class="muted small">verified {many(secret.deliveries, 'delivery', 'deliveries')}</span>
              </div>
              <p class="small muted">
                {secret.lastSeenAt == null ? (
                  'not seen since the list is as it is'
                ) : (
                  <>
                    last <Time at={secret.lastSeenAt} />
                  </>
                )}
                {secret.othersSince > 0 && `; others verified ${formatCount(secret.othersSince)} since`}
                {secret.verdict === 'quiet' && '. It can be taken out.'}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
