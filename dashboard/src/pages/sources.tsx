import { useResource } from '../api/hooks.ts'
import type { Source } from '../api/types.ts'
import { formatDuration, many } from '../logic/format.ts'
import { linkTo } from '../logic/route.ts'
import { Badge, Foreign } from '../ui/basics.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Await, Empty } from '../ui/states.tsx'

/** Who may send here. */
export function Sources() {
  const sources = useResource<{ readonly items: readonly Source[] }>('sources')
  return (
    <>
      <PageHead title="Sources" lead="Each provider that sends webhooks here, and what is done with them." />
      <Await resource={sources}>
        {({ items }) =>
          items.length === 0 ? (
            <div class="card">
              <Empty title="No sources">
                <p>
                  Name them under <code>sources</code> in <code>oncehook.config.ts</code>.
                </p>
              </Empty>
            </div>
          ) : (
            <ul class="source-list">
              {items.map((source) => (
                <li key={source.name}>
                  <SourceCard source={source} />
                </li>
              ))}
            </ul>
          )
        }
      </Await>
    </>
  )
}

function SourceCard({ source }: { readonly source: Source }) {
  const { name, provider, mode, isVerified, handlers, deadlineSeconds, retryHours } = source
  const targets = handlers.flatMap(({ forwardsTo }) => (forwardsTo == null ? [] : [forwardsTo]))
  return (
    <a class="card source-card" href={linkTo(['sources', name])}>
      <div class="row">
        <strong class="grow">
          <Foreign text={name} />
        </strong>
        {!isVerified && <span class="badge bad">not verified</span>}
        <span class="badge">{mode}</span>
      </div>
      <SourceSigns source={source} />
      <p class="small muted">
        {provider}
        {deadlineSeconds != null && ` · waits ${formatDuration(deadlineSeconds * 1_000)} for an answer`}
        {retryHours != null && retryHours > 0 && ` · retries for ${formatDuration(retryHours * 3_600_000)}`}
      </p>
      <p class="small">
        {handlers.length === 0
          ? provider === 'captures'
            ? 'Captured requests that automations run on'
            : 'Recorded only, no handler'
          : targets.length > 0
            ? `Forwards to ${targets.length === 1 ? 'one endpoint' : `${targets.length} endpoints`}`
            : handlers.length === 1
              ? 'One handler'
              : `${handlers.length} handlers`}
      </p>
    </a>
  )
}

/** What its meters warn of, so that nobody has to open each source to find out. */
function SourceSigns({ source: { meters } }: { readonly source: Source }) {
  const { pastMost = 0, pastAll = 0 } = meters?.deadline ?? {}
  const quiet = meters?.secrets?.filter(({ verdict }) => verdict === 'quiet').length ?? 0
  if (pastMost + quiet === 0) return null
  return (
    <div class="row wrap">
      {pastAll > 0 ? (
        <Badge kind="bad">{many(pastAll, 'answer')} too late</Badge>
      ) : (
        pastMost > 0 && <Badge kind="warn">{many(pastMost, 'answer')} near the deadline</Badge>
      )}
      {quiet > 0 && <Badge kind="warn">{many(quiet, 'secret')} can go</Badge>}
    </div>
  )
}
