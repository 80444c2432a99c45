import { useResource } from '../api/hooks.ts'
import type { Source } from '../api/types.ts'
import { formatDuration } from '../logic/format.ts'
import { linkTo } from '../logic/route.ts'
import { Foreign } from '../ui/basics.tsx'
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
      <p class="small muted">
        {provider}
        {deadlineSeconds != null && ` · answers within ${formatDuration(deadlineSeconds * 1_000)}`}
        {retryHours != null && retryHours > 0 && ` · retries for ${formatDuration(retryHours * 3_600_000)}`}
      </p>
      <p class="small">
        {handlers.length === 0
          ? 'Recorded only, no handler'
          : targets.length > 0
            ? `Forwards to ${targets.length === 1 ? 'one endpoint' : `${targets.length} endpoints`}`
            : handlers.length === 1
              ? 'One handler'
              : `${handlers.length} handlers`}
      </p>
    </a>
  )
}
