import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useAction, useMay } from '../api/hooks.ts'
import type { StoredValue } from '../api/tool-types.ts'
import { formatBytes } from '../logic/format.ts'
import { Button, Foreign, TextArea, TextField, Time } from '../ui/basics.tsx'
import { JsonTree } from '../ui/body-view.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Problem } from '../ui/states.tsx'
import { tell } from '../ui/toasts.tsx'

export type ValueDialogProps = {
  readonly namespace: string
  /** Undefined for one that is made. */
  readonly value?: StoredValue
  readonly onClose: () => void
  readonly onDone: () => void
}

const mostBytes = 65_536

/** One value. It is stored only if nobody has changed it meanwhile. */
export function ValueDialog({ namespace, value, onClose, onDone }: ValueDialogProps) {
  const mayEdit = useMay('operator')
  return (
    <Dialog title={value === undefined ? 'New value' : 'Value'} onClose={onClose}>
      {value !== undefined && (
        <p class="small muted">
          <code>
            <Foreign text={value.key} />
          </code>{' '}
          · version {value.version} · changed <Time at={value.updatedAt} />
          {value.expiresAt != null && (
            <>
              {' '}
              · gone <Time at={value.expiresAt} />
            </>
          )}
        </p>
      )}
      {mayEdit ? (
        <ValueForm
          namespace={namespace}
          {...(value === undefined ? {} : { value })}
          onClose={onClose}
          onDone={onDone}
        />
      ) : (
        value !== undefined && <JsonTree document={value.value} />
      )}
    </Dialog>
  )
}

function ValueForm({ namespace, value, onClose, onDone }: ValueDialogProps) {
  const [space, setSpace] = useState(namespace)
  const [key, setKey] = useState(value?.key ?? '')
  const [text, setText] = useState(value === undefined ? '{}' : JSON.stringify(value.value, undefined, 2))
  const [ttl, setTtl] = useState('')
  const [isDeleting, setDeleting] = useState(false)
  const action = useAction()
  const parsed = parse(text)
  const bytes = new TextEncoder().encode(text).length
  const path = apiPath(['datastore', space.trim(), key])
  const done = (said: string) => (): void => {
    tell(said)
    onDone()
    onClose()
  }
  const save = (event: Event): void => {
    event.preventDefault()
    if (parsed === undefined) return
    const condition = value === undefined ? { ifAbsent: true } : { ifVersion: value.version }
    const ttlSeconds = ttl.trim() === '' ? {} : { ttlSeconds: Number(ttl) }
    void action.run({
      method: 'PUT',
      path,
      body: { value: parsed.value, ...condition, ...ttlSeconds },
      onDone: done('The value is stored.'),
    })
  }
  const remove = (): void => void action.run({ method: 'DELETE', path, onDone: done('The value is deleted.') })
  return (
    <form class="stack" onSubmit={save}>
      {value === undefined && (
        <div class="form-row">
          {namespace === '' && <TextField label="Namespace" value={space} onText={setSpace} required maxLength={200} />}
          <TextField label="Key" value={key} onText={setKey} required maxLength={512} />
        </div>
      )}
      <TextArea
        label="Value, as JSON"
        value={text}
        onText={setText}
        rows={12}
        aria-invalid={parsed === undefined}
        hint={parsed === undefined ? 'This is no JSON.' : `${formatBytes(bytes)} of ${formatBytes(mostBytes)}`}
      />
      <TextField
        label="Gone after seconds"
        type="number"
        min={1}
        value={ttl}
        onText={setTtl}
        placeholder={value?.expiresAt == null ? 'it stays' : 'from now on it stays'}
      />
      <Problem failure={action.failure} />
      {action.failure?.kind === 'conflict' && (
        <p class="note warn">Somebody has changed it meanwhile. Close this, look at it again, and then decide.</p>
      )}
      <div class="row">
        {value !== undefined &&
          (isDeleting ? (
            <Button look="danger" icon="trash" disabled={action.isRunning} onClick={remove}>
              Delete it for good
            </Button>
          ) : (
            <Button look="plain" icon="trash" onClick={() => setDeleting(true)}>
              Delete…
            </Button>
          ))}
        <span class="grow" />
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="main-action"
          disabled={action.isRunning || parsed === undefined || key === '' || space.trim() === ''}
        >
          Store
        </Button>
      </div>
    </form>
  )
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
