import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useAction } from '../api/hooks.ts'
import { Button, TextField } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Problem } from '../ui/states.tsx'

/** Saves a capture as a file that `oncehook cases` runs. */
export function CaseDialog({ captureId, onClose }: { readonly captureId: string; readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [status, setStatus] = useState('200')
  const [saved, setSaved] = useState<{ readonly file?: string; readonly path?: string } | undefined>(undefined)
  const action = useAction()
  const submit = (event: Event): void => {
    event.preventDefault()
    void action.run<{ readonly file?: string; readonly path?: string }>({
      method: 'POST',
      path: apiPath(['captures', captureId, 'case']),
      body: { name: name.trim(), expect: { status: Number(status) } },
      onDone: (value) => setSaved(value ?? {}),
    })
  }
  return (
    <Dialog title="Save as case" onClose={onClose}>
      {saved === undefined ? (
        <form class="stack" onSubmit={submit}>
          <p class="muted">
            A file with the request, without its secrets, and what is expected of the answer.{' '}
            <code>oncehook cases</code> runs it, also in CI.
          </p>
          <div class="form-row">
            <TextField label="Name" value={name} onText={setName} required maxLength={100} placeholder="paid-invoice" />
            <TextField
              label="Expected status"
              value={status}
              onText={setStatus}
              inputMode="numeric"
              pattern="[1-5][0-9][0-9]"
            />
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
            Saved
            {(saved.file ?? saved.path) !== undefined && (
              <>
                {' '}
                as <code>{saved.file ?? saved.path}</code>
              </>
            )}
            . Run it with <code>oncehook cases</code>.
          </p>
          <div class="row end-row">
            <Button onClick={onClose}>Close</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
