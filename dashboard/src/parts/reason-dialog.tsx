import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useAction } from '../api/hooks.ts'
import { Button, TextField } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Problem } from '../ui/states.tsx'

export type ReasonDialogProps = {
  readonly title: string
  readonly text: ComponentChildren
  readonly button: string
  readonly path: string
  /** What is sent besides the reason. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly onClose: () => void
  readonly onDone?: () => void
}

/** For what is done with a reason, which is kept. */
export function ReasonDialog({ title, text, button, path, body = {}, onClose, onDone }: ReasonDialogProps) {
  const [why, setWhy] = useState('')
  const action = useAction()
  const submit = (event: Event): void => {
    event.preventDefault()
    void action.run({
      method: 'POST',
      path,
      body: { ...body, why: why.trim() },
      onDone: () => {
        onDone?.()
        onClose()
      },
    })
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p class="muted">{text}</p>
        <TextField label="Why (kept with it)" value={why} onText={setWhy} required maxLength={500} />
        <Problem failure={action.failure} />
        <div class="row end-row">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main-action" disabled={action.isRunning || why.trim() === ''}>
            {button}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export type ConfirmDialogProps = {
  readonly title: string
  readonly text: ComponentChildren
  readonly button: string
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  readonly onClose: () => void
  readonly onDone: () => void
}

/** For what cannot be undone. */
export function ConfirmDialog({ title, text, button, method, path, body, onClose, onDone }: ConfirmDialogProps) {
  const action = useAction()
  const act = (): void =>
    void action.run({
      method,
      path,
      body,
      onDone: () => {
        onDone()
        onClose()
      },
    })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" icon="trash" disabled={action.isRunning} onClick={act}>
            {button}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      <Problem failure={action.failure} />
    </Dialog>
  )
}
