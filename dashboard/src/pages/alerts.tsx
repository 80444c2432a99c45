import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useAction, useMay, useResource } from '../api/hooks.ts'
import type { Alert, AlertMute } from '../api/types.ts'
import { words } from '../logic/format.ts'
import { MuteDialog } from '../parts/mute-dialog.tsx'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { Badge, Button, Card, Foreign, Time } from '../ui/basics.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Await, Empty, Problem } from '../ui/states.tsx'
import { Tabs } from '../ui/tabs.tsx'

type State = 'open' | 'resolved'

/** What is wrong, what was, and what nobody is told of. */
export function Alerts() {
  const [state, setState] = useState<State>('open')
  const [answering, setAnswering] = useState<Alert | undefined>(undefined)
  const [muting, setMuting] = useState<Partial<AlertMute> | undefined>(undefined)
  const alerts = useResource<{ readonly items: readonly Alert[] }>(apiPath(['alerts'], { state }), {
    refreshSeconds: 20,
  })
  const mutes = useResource<{ readonly items: readonly AlertMute[] }>('alert-mutes')
  const mayAct = useMay('operator')
  return (
    <>
      <PageHead
        title="Alerts"
        lead="Episodes: something was wrong from then to then. Each is told once, with reminders."
      >
        <Tabs
          label="Which alerts"
          names={[
            ['open', 'Open'],
            ['resolved', 'Resolved'],
          ]}
          chosen={state}
          onChoose={setState}
        />
        {mayAct && <Button onClick={() => setMuting({})}>Mute…</Button>}
      </PageHead>
      <div class="stack">
        <Await resource={alerts}>
          {({ items }) =>
            items.length === 0 ? (
              <div class="card">
                <Empty title={state === 'open' ? 'All is well' : 'Nothing was resolved lately'} />
              </div>
            ) : (
              <ul class="stack">
                {items.map((alert) => (
                  <li key={alert.id}>
                    <AlertCard
                      alert={alert}
                      onAnswer={mayAct ? () => setAnswering(alert) : undefined}
                      onMute={mayAct ? () => setMuting({ rule: alert.rule, source: alert.source ?? null }) : undefined}
                    />
                  </li>
                ))}
              </ul>
            )
          }
        </Await>
        <Mutes mutes={mutes.value?.items ?? []} onChange={mutes.reload} mayAct={mayAct} />
      </div>
      {answering !== undefined && (
        <ReasonDialog
          title="Acknowledge"
          text="Somebody takes it up: there are no more reminders of it."
          button="Acknowledge"
          path={apiPath(['alerts', answering.id, 'acknowledge'])}
          onClose={() => setAnswering(undefined)}
          onDone={alerts.reload}
        />
      )}
      {muting !== undefined && <MuteDialog mute={muting} onClose={() => setMuting(undefined)} onDone={mutes.reload} />}
    </>
  )
}

type AlertCardProps = {
  readonly alert: Alert
  readonly onAnswer: (() => void) | undefined
  readonly onMute: (() => void) | undefined
}

function AlertCard({ alert, onAnswer, onMute }: AlertCardProps) {
  const { title, text, advice, rule, source, openedAt, resolvedAt, acknowledged } = alert
  const isOpen = resolvedAt == null
  return (
    <article class="card alert" data-kind={isOpen ? (acknowledged == null ? 'bad' : 'warn') : 'quiet'}>
      <div class="inner stack tight">
        <div class="row wrap">
          <h2 class="grow">
            <Foreign text={title} />
          </h2>
          <Badge kind={isOpen ? (acknowledged == null ? 'bad' : 'warn') : 'quiet'}>
            {isOpen ? (acknowledged == null ? 'open' : 'acknowledged') : 'resolved'}
          </Badge>
        </div>
        <p>
          <Foreign text={text} />
        </p>
        <p class="muted">
          <Foreign text={advice} />
        </p>
        <p class="small muted">
          {words(rule)}
          {source != null && (
            <>
              {' '}
              of <Foreign text={source} />
            </>
          )}{' '}
          · since <Time at={openedAt} />
          {resolvedAt != null && (
            <>
              {' '}
              · over <Time at={resolvedAt} />
            </>
          )}
        </p>
        {acknowledged != null && (
          <p class="small note">
            <Foreign text={acknowledged.by} />: <Foreign text={acknowledged.why} />
          </p>
        )}
        {isOpen && (onAnswer !== undefined || onMute !== undefined) && (
          <div class="row">
            {onAnswer !== undefined && acknowledged == null && <Button onClick={onAnswer}>Acknowledge…</Button>}
            {onMute !== undefined && <Button onClick={onMute}>Mute…</Button>}
          </div>
        )}
      </div>
    </article>
  )
}

type MutesProps = { readonly mutes: readonly AlertMute[]; readonly onChange: () => void; readonly mayAct: boolean }

function Mutes({ mutes, onChange, mayAct }: MutesProps) {
  const action = useAction()
  if (mutes.length === 0) return null
  const end = (id: string): void =>
    void action.run({ method: 'DELETE', path: apiPath(['alert-mutes', id]), onDone: onChange })
  return (
    <Card title="Muted">
      <ul class="stack tight">
        {mutes.map((mute, index) => (
          <li class="row wrap" key={mute.id ?? index}>
            <span class="grow">
              {mute.rule == null ? 'Every rule' : words(mute.rule)}
              {mute.source != null && (
                <>
                  {' '}
                  of <Foreign text={mute.source} />
                </>
              )}{' '}
              <span class="muted small">
                ends <Time at={mute.until} /> · <Foreign text={mute.by} />: <Foreign text={mute.why} />
              </span>
            </span>
            {mayAct && mute.id !== undefined && (
              <Button size="tiny" onClick={() => end(mute.id ?? '')}>
                End it
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Problem failure={action.failure} />
    </Card>
  )
}
