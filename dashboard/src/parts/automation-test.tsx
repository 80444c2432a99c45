import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useAction, useResource } from '../api/hooks.ts'
import type { Automation, AutomationRun } from '../api/tool-types.ts'
import type { Page, Receipt } from '../api/types.ts'
import { triggerOf } from '../logic/automation-parts.ts'
import { printable } from '../logic/printable.ts'
import { Button, Choice, TextField } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Problem } from '../ui/states.tsx'
import { Trace } from './run-trace.tsx'

export type AutomationTestProps = { readonly automation: Automation; readonly onClose: () => void }

/** Runs an automation on something that came before, without keeping what it does. */
export function AutomationTest({ automation, onClose }: AutomationTestProps) {
  const { source, endpoint } = triggerOf(automation)
  // Captured requests are events of a source of their own, with the endpoint as their type.
  const wanted = endpoint === undefined ? { source } : { source: 'captures', type: endpoint }
  const events = useResource<Page<Receipt>>(apiPath(['receipts'], { ...wanted, limit: '20' }))
  const newest = events.value?.items ?? []
  const [id, setId] = useState('')
  const [run, setRun] = useState<AutomationRun | undefined>(undefined)
  const action = useAction()
  const submit = (event: Event): void => {
    event.preventDefault()
    void action.run<AutomationRun>({
      method: 'POST',
      path: apiPath(['automations', automation.name, 'test']),
      body: { from: { kind: 'receipt', id: id.trim() } },
      onDone: setRun,
    })
  }
  return (
    <Dialog title="Test the automation" onClose={onClose} isWide>
      <form class="stack" onSubmit={submit}>
        <p class="muted">It runs on an event that came before. Nothing is stored, and nothing is sent.</p>
        <div class="form-row wide">
          <Choice
            label="One of the newest"
            value={newest.some((event) => event.id === id) ? id : ''}
            choices={[
              ['', 'Choose one'],
              ...newest.map((event) => [event.id, printable(`${event.type} · ${event.eventId}`)] as const),
            ]}
            onChoice={setId}
          />
          <TextField label="Id of the receipt" value={id} onText={setId} required inputMode="numeric" />
        </div>
        <Problem failure={action.failure} />
        <div class="row end-row">
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" look="main-action" disabled={action.isRunning || id.trim() === ''}>
            Run
          </Button>
        </div>
      </form>
      {run !== undefined && <Trace run={run} />}
    </Dialog>
  )
}
