import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useAction } from '../api/hooks.ts'
import { Button, TextField } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Problem } from '../ui/states.tsx'

/** Saves a capture as a file that `oncehook cases` runs. */
export function CaseDialog({ captureId, onClose }: { readonly captureId: string; readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [status, setStatus] = useState('2xx')
  const [isSaved, setSaved] = useState(false)
  const action = useAction()
  const submit = (event: Event): void => {
    event.preventDefault()
    void action.run({
      method: 'POST',
      path: apiPath(['captures', captureId, 'case']),
      body: { name: name.trim(), expect: { status: /^\d+$/.test(status) ? Number(status) : status } },
      onDone: () => setSaved(true),
    })
  }
  return (
    <Dialog title="Save as case" onClose={onClose}>
      {!isSaved ? (
        <form class="stack" onSubmit={submit}>
          <p class="muted">
            A file with the request, without its secrets, and what is expected of the answer.{' '}
            <code>oncehook cases</code> runs it, also in CI.
          </p>
          <div class="form-row">
            <TextField label="Name" value={name} onText={setName} required maxLength={100} placeholder="paid-invoice" />
            <TextField label="Expected status" value={status} onText={setStatus} pattern="[1-5]([0-9][0-9]|xx)" />
          </div>
          <Problem failure={action.failure} />
          <div class="row end-row">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="main-action" disabled={action.isRunning || name.trim() === ''}>
              Save
            </Button>
          </div>
        </form>
      ) : (
        <>
          <p class="note good">
            Saved in the folder of cases. Run it with <code>oncehook cases</code>.
          </p>
          <div class="row end-row">
            <Button onClick={onClose}>Close</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
