import { apiPath } from '../api/client.ts'
import { useResource } from '../api/hooks.ts'
import type { AutomationRun, TracedStep } from '../api/tool-types.ts'
import { formatDuration, words } from '../logic/format.ts'
import { linkTo } from '../logic/route.ts'
import { classOfStatus } from '../logic/status-class.ts'
import { Foreign, StatusBadge } from '../ui/basics.tsx'
import { JsonTree } from '../ui/body-view.tsx'
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
        {run.steps.map((step) => (
          <StepLine key={step.number} step={step} />
        ))}
      </ol>
    </div>
  )
}

function StepLine({ step }: { readonly step: TracedStep }) {
  const { name, kind, outcome, tookMilliseconds, error, summary, input, output } = step
  return (
    <li data-kind={classOfStatus(outcome)}>
      <span class="dot">
        <Icon name={classOfStatus(outcome) === 'bad' ? 'close' : 'check'} />
      </span>
      <div class="stack tight">
        <div class="row wrap">
          <strong>
            <Foreign text={name ?? `${step.number}. ${words(kind)}`} />
          </strong>
          <StatusBadge status={outcome} />
          <span class="grow" />
          <span class="small muted">{formatDuration(tookMilliseconds)}</span>
        </div>
        {error != null && (
          <p class="small error-line">
            <Foreign text={error} />
          </p>
        )}
        <p class="small">
          <Foreign text={summary} />
        </p>
        <details class="small">
          <summary>What went in and came out</summary>
          <JsonTree document={{ input, output }} />
        </details>
      </div>
    </li>
  )
}
