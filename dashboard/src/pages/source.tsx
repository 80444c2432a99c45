import { apiPath } from '../api/client.ts'
import { useLiveRefresh, useMay, useResource } from '../api/hooks.ts'
import type { Refusal, Source } from '../api/types.ts'
import { formatDuration, words } from '../logic/format.ts'
import { linkTo } from '../logic/route.ts'
import { Doctor } from '../parts/doctor.tsx'
import { DeadlineMeter, SecretMeters } from '../parts/meters.tsx'
import { RetryPicture } from '../parts/retry-picture.tsx'
import { Card, Fact, Facts, Foreign, HttpBadge, Ident, Time } from '../ui/basics.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Await, Empty } from '../ui/states.tsx'

const crumb = { href: linkTo(['sources']), name: 'Sources' }

/** One source: how it behaves, how near its limits are, and why it was refused. */
export function SourcePage({ name }: { readonly name: string }) {
  const source = useResource<Source>(apiPath(['sources', name]))
  const mayDiagnose = useMay('operator')
  useLiveRefresh((event) => event.kind === 'delivery' && event.source === name, source.reload)
  return (
    <>
      <PageHead title={<Foreign text={name} />} crumb={crumb}>
        <a class="button" href={linkTo(['events'], { source: name })}>
          Its events
        </a>
      </PageHead>
      <Await resource={source}>
        {(value) => (
          <div class="stack">
            {!value.isVerified && (
              <p class="note bad">
                Deliveries of this source are not verified: anybody who knows the address can send them.
              </p>
            )}
            {(value.warnings ?? []).map((warning) => (
              <p class="note warn" key={warning}>
                <Foreign text={warning} />
              </p>
            ))}
            <SourceFacts source={value} />
            <div class="grid">
              <DeadlineMeter meter={value.meters?.deadline} />
              <SecretMeters secrets={value.meters?.secrets} />
            </div>
            <RetryPicture pattern={value.retryPattern} />
            <Refusals refusals={value.recentRefusals ?? []} />
            {mayDiagnose && <Doctor source={value} />}
          </div>
        )}
      </Await>
    </>
  )
}

function SourceFacts({ source }: { readonly source: Source }) {
  const { provider, mode, url, handlers, deadlineSeconds, retryHours, keepDays } = source
  return (
    <section class="card" aria-label="Facts">
      <div class="inner stack">
        <Facts>
          <Fact name="Provider">{source.title ?? provider}</Fact>
          <Fact name="Mode">{mode === 'queued' ? 'queued: recorded, answered, then processed' : mode}</Fact>
          {url != null && (
            <Fact name="Address">
              <Ident text={url} label="Address" />
            </Fact>
          )}
          <Fact name="Deadline for the answer">
            {deadlineSeconds == null ? 'not documented' : formatDuration(deadlineSeconds * 1_000)}
          </Fact>
          <Fact name="Sends again for">
            {retryHours == null
              ? 'not documented'
              : retryHours === 0
                ? 'never by itself'
                : formatDuration(retryHours * 3_600_000)}
          </Fact>
          <Fact name="Kept for">{typeof keepDays === 'number' ? `${keepDays} days` : 'ever'}</Fact>
        </Facts>
        {handlers.length > 0 && (
          <div class="stack tight">
            <h2 class="small">Handlers</h2>
            <ul class="stack tight">
              {handlers.map((handler) => (
                <li key={handler.name} class="row wrap">
                  <code>
                    <Foreign text={handler.name} />
                  </code>
                  <span class="muted small">
                    for <Foreign text={handler.types.join(', ')} />
                    {handler.forwardsTo != null && (
                      <>
                        {' '}
                        → <Foreign text={handler.forwardsTo} />
                      </>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
    </section>
  )
}

function Refusals({ refusals }: { readonly refusals: readonly Refusal[] }) {
  return (
    <Card title="Refused lately" isFlush>
      {refusals.length === 0 ? (
        <Empty title="Nothing was refused" />
      ) : (
        <table class="stacking">
          <thead>
            <tr>
              <th>Status</th>
              <th>Why</th>
              <th>Likely cause</th>
              <th class="end">When</th>
            </tr>
          </thead>
          <tbody>
            {refusals.map(({ at, kind, reason, detail, status }, index) => (
              <tr key={`${index} ${at}`}>
                <td>
                  <HttpBadge status={status} />
                </td>
                <td>
                  {words(kind)}
                  {reason != null && <span class="muted small"> · {words(reason)}</span>}
                </td>
                <td class="small optional">{detail != null && <Foreign text={detail} />}</td>
                <td class="end muted">
                  <Time at={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
