import { apiPath } from '../api/client.ts'
import { useResource } from '../api/hooks.ts'
import type { AutomationRun, TracedStep } from '../api/tool-types.ts'
import { formatDuration, words } from '../logic/format.ts'
import { linkTo } from '../logic/route.ts'
import { classOfStatus } from '../logic/status-class.ts'
import { Foreign, StatusBadge } from '../ui/basics.tsx'
import { Icon } from '../ui/icons.tsx'
import { Await } from '../ui/states.tsx'

/** One run, fetched when it is opened. */
export function RunTrace({ id }: { readonly id: string }) {
  const run = useResource<AutomationRun>(apiPath(['automation-runs', id]))
  return (
    <div class="inner">
      <Await resource={run}>{(value) => <Trace run={value} />}</Await>
    </div>
  )
}

/** What each step did. */
export function Trace({ run }: { readonly run: AutomationRun }) {
  return (
    <div class="stack">
      {run.error != null && (
        <p class="problem">
          <Foreign text={run.error} />
        </p>
      )}
      {run.receiptId != null && (
        <p class="small">
          <a href={linkTo(['receipts', run.receiptId])}>Its event</a>
        </p>
      )}
      <ol class="timeline">
        {(run.steps ?? []).map((step, index) => (
          <StepLine key={index} step={step} place={index} />
        ))}
      </ol>
    </div>
  )
}

function StepLine({ step, place }: { readonly step: TracedStep; readonly place: number }) {
  const { name, kind, outcome, tookMilliseconds, error, detail } = step
  return (
    <li data-kind={classOfStatus(outcome)}>
      <span class="dot">
        <Icon name={classOfStatus(outcome) === 'bad' ? 'close' : 'check'} />
      </span>
      <div class="stack tight">
        <div class="row wrap">
          <strong>
            <Foreign text={name ?? `${place + 1}. ${words(kind)}`} />
          </strong>
          <StatusBadge status={outcome} />
          <span class="grow" />
          {tookMilliseconds != null && <span class="small muted">{formatDuration(tookMilliseconds)}</span>}
        </div>
        {error != null && (
          <p class="small error-line">
            <Foreign text={error} />
          </p>
        )}
        {detail !== undefined && detail !== null && (
          <code class="small">
            <Foreign text={(typeof detail === 'string' ? detail : JSON.stringify(detail)).slice(0, 1_000)} />
          </code>
        )}
      </div>
    </li>
  )
}
