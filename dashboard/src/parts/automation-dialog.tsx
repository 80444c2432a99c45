import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useAction } from '../api/hooks.ts'
import type { Automation } from '../api/tool-types.ts'
import { Button, TextArea, TextField } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Problem } from '../ui/states.tsx'
import { tell } from '../ui/toasts.tsx'

const example = {
  on: { endpoint: 'orders' },
  steps: [
    { kind: 'extract', path: '$.id', as: 'id' },
    { kind: 'dedup', key: '{{id}}' },
    { kind: 'store', operation: 'set', namespace: 'orders', key: '{{id}}', value: '{{body}}' },
  ],
}

export type AutomationDialogProps = {
  /** Undefined for one that is made. */
  readonly automation?: Automation
  readonly onClose: () => void
  readonly onDone: () => void
}

/** An automation as the document that it is. The server names each mistake by its place. */
export function AutomationDialog({ automation, onClose, onDone }: AutomationDialogProps) {
  const [name, setName] = useState(automation?.name ?? '')
  const [text, setText] = useState(() =>
    JSON.stringify(automation === undefined ? example : automation.definition, undefined, 2),
  )
  const action = useAction()
  const parsed = parse(text)
  const save = (event: Event): void => {
    event.preventDefault()
    if (parsed === undefined) return
    const isNew = automation === undefined
    void action.run({
      method: isNew ? 'POST' : 'PUT',
      path: isNew ? 'automations' : apiPath(['automations', automation.name]),
      body: isNew ? { name: name.trim(), definition: parsed } : { definition: parsed, ifRevision: automation.revision },
      onDone: () => {
        tell('The automation is saved.')
        onDone()
        onClose()
      },
    })
  }
  return (
    <Dialog title={automation === undefined ? 'New automation' : 'Edit the automation'} onClose={onClose} isWide>
      <form class="stack" onSubmit={save}>
        {automation === undefined && <TextField label="Name" value={name} onText={setName} required maxLength={64} />}
        <TextArea
          label="What it does, as JSON"
          value={text}
          onText={setText}
          rows={18}
          aria-invalid={parsed === undefined}
          {...(parsed === undefined ? { hint: 'This is no JSON object.' } : {})}
        />
        <Problem failure={action.failure} />
        <div class="row end-row">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look="main-action"
            disabled={action.isRunning || parsed === undefined || name.trim() === ''}
          >
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function parse(text: string): object | undefined {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
