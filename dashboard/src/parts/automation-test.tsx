import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useAction } from '../api/hooks.ts'
import type { AutomationRun } from '../api/tool-types.ts'
import { Button, TextField } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Problem } from '../ui/states.tsx'
import { Trace } from './run-trace.tsx'

/** Runs an automation on something that came before, without keeping what it does. */
export function AutomationTest({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const [id, setId] = useState('')
  const [run, setRun] = useState<AutomationRun | undefined>(undefined)
  const action = useAction()
  const submit = (event: Event): void => {
    event.preventDefault()
    void action.run<AutomationRun>({
      method: 'POST',
      path: apiPath(['automations', name, 'test']),
      body: { from: { kind: 'receipt', id: id.trim() } },
      onDone: setRun,
    })
  }
  return (
    <Dialog title="Test the automation" onClose={onClose} isWide>
      <form class="stack" onSubmit={submit}>
        <p class="muted">It runs on an event that came before. Nothing is stored, and nothing is sent.</p>
        <TextField label="Id of the receipt" value={id} onText={setId} required inputMode="numeric" />
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
