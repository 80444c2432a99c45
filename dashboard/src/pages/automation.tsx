import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useLiveRefresh, useMay, useMayDefine, usePaged, useResource } from '../api/hooks.ts'
import type { Automation, AutomationRun } from '../api/tool-types.ts'
import { linkTo } from '../logic/route.ts'
import { AutomationDialog } from '../parts/automation-dialog.tsx'
import { AutomationTest } from '../parts/automation-test.tsx'
import { ConfirmDialog } from '../parts/reason-dialog.tsx'
import { RunTrace } from '../parts/run-trace.tsx'
import { Button, Card, Foreign, StatusBadge, Time } from '../ui/basics.tsx'
import { JsonTree } from '../ui/body-view.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Pager } from '../ui/pager.tsx'
import { Await, Empty } from '../ui/states.tsx'
import { goTo } from '../ui/use-route.ts'

type Doing = 'edit' | 'delete' | 'test'

/** One automation: its steps, and what they did. */
export function AutomationPage({ name }: { readonly name: string }) {
  const automation = useResource<Automation>(apiPath(['automations', name]))
  const runs = usePaged<AutomationRun>(name, (cursor) => apiPath(['automations', name, 'runs'], { cursor }))
  const [doing, setDoing] = useState<Doing | undefined>(undefined)
  const [open, setOpen] = useState<string | undefined>(undefined)
  const mayTest = useMay('admin')
  const mayEdit = useMayDefine() && automation.value?.origin === 'api'
  useLiveRefresh(({ kind }) => (kind === 'automation' || kind === 'handler') && runs.isFirst, runs.reload)
  const close = (): void => setDoing(undefined)
  return (
    <>
      <PageHead title={<Foreign text={name} />} crumb={{ href: linkTo(['automations']), name: 'Automations' }}>
        {mayEdit && <Button icon="trash" name="Delete the automation" onClick={() => setDoing('delete')} />}
        {mayTest && automation.value !== undefined && <Button onClick={() => setDoing('test')}>Test…</Button>}
        {mayEdit && (
          <Button look="main-action" onClick={() => setDoing('edit')}>
            Edit…
          </Button>
        )}
      </PageHead>
      <div class="columns">
        <Card title="Runs" isFlush>
          <Await resource={runs}>
            {({ items }) =>
              items.length === 0 ? (
                <Empty title="It has not run yet" />
              ) : (
                <ul class="members">
                  {items.map(({ id = '', outcome, eventId = '', endedAt = '' }) => (
                    <li key={id}>
                      <button
                        type="button"
                        class="group-head"
                        aria-expanded={open === id}
                        onClick={() => setOpen(open === id ? undefined : id)}
                      >
                        <StatusBadge status={outcome} />
                        <span class="grow small muted">
                          <Foreign text={eventId} />
                        </span>
                        <span class="small muted">
                          <Time at={endedAt} />
                        </span>
                      </button>
                      {open === id && <RunTrace id={id} />}
                    </li>
                  ))}
                </ul>
              )
            }
          </Await>
          <Pager paged={runs} />
        </Card>
        <Card title="What it does">
          <Await resource={automation}>{(value) => <JsonTree document={value.definition} />}</Await>
        </Card>
      </div>
      {doing === 'edit' && automation.value !== undefined && (
        <AutomationDialog automation={automation.value} onClose={close} onDone={automation.reload} />
      )}
      {doing === 'test' && automation.value !== undefined && (
        <AutomationTest automation={automation.value} onClose={close} />
      )}
      {doing === 'delete' && (
        <ConfirmDialog
          title="Delete the automation"
          text="It runs no more. What it has stored stays."
          button="Delete"
          method="DELETE"
          path={apiPath(['automations', name])}
          onClose={close}
          onDone={() => goTo(['automations'])}
        />
      )}
    </>
  )
}
