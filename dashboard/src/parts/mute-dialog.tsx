import { useState } from 'preact/hooks'
import { useAction } from '../api/hooks.ts'
import type { AlertMute } from '../api/types.ts'
import { words } from '../logic/format.ts'
import { Button, Choice, TextField } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Problem } from '../ui/states.tsx'

/** The names of rules, as the API takes them. */
const rules = [
  'duplicates',
  'firstAttemptErrors',
  'lag',
  'deadLetters',
  'deadMessages',
  'signatureFailures',
  'silence',
  'deadline',
  'upkeep',
] as const

const spans: readonly (readonly [string, string])[] = [
  ['1', 'An hour'],
  ['8', 'Eight hours'],
  ['24', 'A day'],
  ['168', 'A week'],
]

export type MuteDialogProps = {
  /** What is filled in. */
  readonly mute: Partial<AlertMute>
  readonly onClose: () => void
  readonly onDone: () => void
}

/** No messages for a while. What is still so afterwards is told then. */
export function MuteDialog({ mute, onClose, onDone }: MuteDialogProps) {
  const [rule, setRule] = useState(mute.rule ?? '')
  const [source, setSource] = useState(mute.source ?? '')
  const [hours, setHours] = useState('1')
  const [why, setWhy] = useState('')
  const action = useAction()
  const submit = (event: Event): void => {
    event.preventDefault()
    const until = new Date(Date.now() + Number(hours) * 3_600_000).toISOString()
    void action.run({
      method: 'POST',
      path: 'alert-mutes',
      body: {
        ...(rule === '' ? {} : { rule }),
        ...(source.trim() === '' ? {} : { source: source.trim() }),
        until,
        why: why.trim(),
      },
      onDone: () => {
        onDone()
        onClose()
      },
    })
  }
  const known = rule === '' || rules.some((one) => one === rule) ? rules : [rule, ...rules]
  return (
    <Dialog title="Mute alerts" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">Nobody is told until then. What is still wrong afterwards is told then.</p>
        <div class="form-row">
          <Choice
            label="Rule"
            value={rule}
            choices={[['', 'Every rule'], ...known.map((one) => [one, words(one)] as const)]}
            onChoice={setRule}
          />
          <TextField label="Source" value={source} onText={setSource} placeholder="Every source" />
          <Choice label="For" value={hours} choices={spans} onChoice={setHours} />
        </div>
        <TextField label="Why (kept with it)" value={why} onText={setWhy} required maxLength={500} />
        <Problem failure={action.failure} />
        <div class="row end-row">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main-action" disabled={action.isRunning || why.trim() === ''}>
            Mute
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
