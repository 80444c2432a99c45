import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useAction, useResource } from '../api/hooks.ts'
import { printableLines } from '../logic/printable.ts'
import { Button, Foreign, TextField } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Await, Problem } from '../ui/states.tsx'

type CaseProps = { readonly captureId: string; readonly onClose: () => void }

/** Makes a file of a capture that `oncehook cases` runs. */
export function CaseDialog({ captureId, onClose }: CaseProps) {
  const cases = useResource<{ readonly folder: string | null }>('cases')
  return (
    <Dialog title="Save as case" onClose={onClose}>
      <Await resource={cases}>
        {({ folder }) => <CaseForm captureId={captureId} folder={folder ?? undefined} onClose={onClose} />}
      </Await>
    </Dialog>
  )
}

type Made = {
  readonly case: { readonly name: string; readonly redacted?: readonly string[] }
  readonly isSaved: boolean
}

function CaseForm({ captureId, folder, onClose }: CaseProps & { readonly folder: string | undefined }) {
  const [name, setName] = useState('')
  const [status, setStatus] = useState('2xx')
  const [made, setMade] = useState<Made | undefined>(undefined)
  const action = useAction()
  const submit = (event: Event): void => {
    event.preventDefault()
    const expect = { status: /^\d+$/.test(status) ? Number(status) : status }
    void action.run<Made>({
      method: 'POST',
      path: apiPath(['captures', captureId, 'case']),
      body: { name: name.trim(), expect, save: folder !== undefined },
      onDone: setMade,
    })
  }
  if (made !== undefined) return <MadeCase made={made} folder={folder} onClose={onClose} />
  return (
    <form class="stack" onSubmit={submit}>
      <p class="muted">
        A file with the request, without its secrets, and what is expected of the answer. <code>oncehook cases</code>{' '}
        runs it, also in CI.
      </p>
      <div class="form-row">
        <TextField label="Name" value={name} onText={setName} required maxLength={80} placeholder="paid-invoice" />
        <TextField label="Expected status" value={status} onText={setStatus} pattern="[1-5]([0-9][0-9]|xx)" />
      </div>
      <Problem failure={action.failure} />
      <div class="row end-row">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="main-action" disabled={action.isRunning || name.trim() === ''}>
          {folder === undefined ? 'Make it' : 'Save'}
        </Button>
      </div>
    </form>
  )
}

type MadeProps = { readonly made: Made; readonly folder: string | undefined; readonly onClose: () => void }

/** Where it is, and what was masked. Where there is no folder for it, the file to take along. */
function MadeCase({ made, folder, onClose }: MadeProps) {
  const { name, redacted = [] } = made.case
  return (
    <div class="stack">
      {made.isSaved ? (
        <p class="note good" role="status">
          Saved as{' '}
          <code>
            <Foreign text={`${folder}/${name}.json`} />
          </code>
          . Run it with <code>oncehook cases</code>.
        </p>
      ) : (
        <>
          <p class="note" role="status">
            This app has no folder of cases. Put this into <code>cases/{name}.json</code> beside your tests.
          </p>
          <pre class="block" tabIndex={0}>
            {printableLines(JSON.stringify(made.case, undefined, 2))}
          </pre>
        </>
      )}
      {redacted.length > 0 && (
        <p class="small muted">
          Masked: <Foreign text={redacted.join(', ')} />
        </p>
      )}
      <div class="row end-row">
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  )
}
