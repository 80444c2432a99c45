import { useState } from 'preact/hooks'
import { useMayDefine, useResource } from '../api/hooks.ts'
import type { Automation } from '../api/tool-types.ts'
import { stepCount, triggerOf } from '../logic/automation-parts.ts'
import { many } from '../logic/format.ts'
import { linkTo } from '../logic/route.ts'
import { AutomationDialog } from '../parts/automation-dialog.tsx'
import { Badge, Button, Foreign, Time } from '../ui/basics.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Await, Empty } from '../ui/states.tsx'

/** Steps that run by themselves on what comes in. */
export function Automations() {
  const automations = useResource<{ readonly items: readonly Automation[] }>('automations')
  const [isMaking, setMaking] = useState(false)
  const mayMake = useMayDefine()
  return (
    <>
      <PageHead title="Automations" lead="Ordered steps on captured or received webhooks, each run with a trace.">
        {mayMake && (
          <Button look="main-action" icon="plus" onClick={() => setMaking(true)}>
            New automation
          </Button>
        )}
      </PageHead>
      <section class="card" aria-label="Automations">
        <Await resource={automations}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No automations">
                <p>Extract, decide, store, forward: without a line of code, or with one.</p>
              </Empty>
            ) : (
              <table class="stacking">
                <thead>
                  <tr>
                    <th>Name</th>
                    <th>On</th>
                    <th>Steps</th>
                    <th class="end">Changed</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((automation) => (
                    <tr key={automation.name}>
                      <td>
                        <a href={linkTo(['automations', automation.name])}>
                          <Foreign text={automation.name} />
                        </a>{' '}
                        {automation.origin === 'config' && <Badge kind="busy">configuration</Badge>}{' '}
                        {!automation.isEnabled && <Badge kind="quiet">off</Badge>}
                      </td>
                      <td>
                        <Foreign text={onText(automation)} />
                      </td>
                      <td>{many(stepCount(automation), 'step')}</td>
                      <td class="end muted">
                        {automation.changedAt === null ? '' : <Time at={automation.changedAt} />}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </Await>
      </section>
      {isMaking && <AutomationDialog onClose={() => setMaking(false)} onDone={automations.reload} />}
    </>
  )
}

function onText(automation: Automation): string {
  const { source, types, endpoint } = triggerOf(automation)
  if (endpoint !== undefined) return `captures at ${endpoint}`
  return types === undefined ? `${source}, every event` : `${source}: ${[types].flat().join(', ')}`
}
