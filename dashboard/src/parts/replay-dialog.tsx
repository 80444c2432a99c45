import { useEffect, useState } from 'preact/hooks'
import type { Failure } from '../api/client.ts'
import { useAction, useApp } from '../api/hooks.ts'
import type { EffectNote, HandlerPreview, ReceiptQuery, ReplayPreview } from '../api/types.ts'
import { many, words } from '../logic/format.ts'
import { linkTo } from '../logic/route.ts'
import { Badge, Button, Foreign, StatusBadge, TextField } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Empty, Failed, Problem, Waiting } from '../ui/states.tsx'
import { tell } from '../ui/toasts.tsx'

/** Which receipts: these, or all that a filter finds. */
export type Selection = { readonly ids: readonly string[] } | { readonly filter: ReceiptQuery }

export type ReplayDialogProps = {
  readonly selection: Selection
  /** How many are meant, where that is known. */
  readonly count: number | undefined
  readonly reason?: string
  readonly onClose: () => void
  readonly onDone?: () => void
}

type Preview = { readonly items: readonly ReplayPreview[]; readonly isComplete?: boolean }

/** Shows what would happen before it happens, and asks why. */
export function ReplayDialog({ selection, count, reason = '', onClose, onDone }: ReplayDialogProps) {
  const { api } = useApp()
  const [preview, setPreview] = useState<Preview | Failure | undefined>(undefined)
  const [why, setWhy] = useState(reason)
  const action = useAction()

  const look = (): void => {
    setPreview(undefined)
    void api
      .call<Preview>('POST', 'receipts/preview', { body: selection })
      .then((result) => setPreview(result.kind === 'ok' ? result.value : result.failure))
  }
  useEffect(look, [])

  const replay = (): void =>
    void action.run<{ readonly ids: readonly string[] }>({
      method: 'POST',
      path: 'receipts/replay',
      body: { ...selection, why: why.trim() },
      onDone: ({ ids }) => {
        tell(
          ids.length === 0
            ? 'Nothing was replayed: it is in the queue already.'
            : `${many(ids.length, 'event')} put back to work.`,
        )
        onDone?.()
        onClose()
      },
    })
  const hasPreview = preview !== undefined && 'items' in preview
  const isNothing = hasPreview && preview.items.length === 0
  return (
    <Dialog
      title={count === undefined ? 'Replay' : `Replay ${many(count, 'event')}`}
      onClose={onClose}
      isWide
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="main-action"
            icon="replay"
            disabled={action.isRunning || why.trim() === '' || !hasPreview || isNothing}
            onClick={replay}
          >
            Replay
          </Button>
        </>
      }
    >
      <p class="muted">
        The handlers have just run for a look, in transactions that were rolled back. This is what a replay would do
        now.
      </p>
      {preview === undefined ? (
        <Waiting />
      ) : 'items' in preview ? (
        <PreviewList preview={preview} />
      ) : (
        <Failed failure={preview} retry={look} />
      )}
      <TextField
        label="Why (kept in the audit log)"
        value={why}
        onText={setWhy}
        required
        maxLength={500}
        placeholder="for example: the bug in the handler is fixed"
      />
      <Problem failure={action.failure} />
    </Dialog>
  )
}

const mostShown = 20

function PreviewList({ preview }: { readonly preview: Preview }) {
  const { items } = preview
  if (items.length === 0)
    return (
      <Empty title="Nothing to replay">
        <p>What waits in the queue runs by itself.</p>
      </Empty>
    )
  const notes = items.flatMap(({ handlers }) => handlers.flatMap(({ effects }) => effects))
  const fire = notes.filter(isFired).length
  const wouldFail = items.filter(({ handlers }) => handlers.some(({ would }) => would === 'fail')).length
  return (
    <div class="stack" aria-label="Preview" role="group">
      <div class="row wrap">
        <Badge kind="good">{many(fire, 'effect')} would fire</Badge>
        <Badge kind="quiet">{many(notes.length - fire, 'effect')} would be skipped</Badge>
        {wouldFail > 0 && <Badge kind="bad">{many(wouldFail, 'event')} would fail again</Badge>}
      </div>
      {items.slice(0, mostShown).map((item) => (
        <PreviewItem key={item.receiptId} item={item} />
      ))}
      {items.length > mostShown && <p class="muted">and {many(items.length - mostShown, 'more', 'more')}</p>}
    </div>
  )
}

function PreviewItem({ item }: { readonly item: ReplayPreview }) {
  const { receiptId, source, type, eventId, redacted, handlers } = item
  return (
    <div class="card inner-card">
      <div class="row wrap">
        <a href={linkTo(['receipts', receiptId])}>
          <Foreign text={type} />
        </a>
        <span class="muted small">
          <Foreign text={source} /> · <Foreign text={eventId} />
        </span>
      </div>
      {redacted.length > 0 && (
        <p class="small note warn">
          Was redacted when it came: the handlers do not see <Foreign text={redacted.join(', ')} />.
        </p>
      )}
      {handlers.length === 0 && <p class="muted small">No handler would run.</p>}
      {handlers.map((handler) => (
        <PreviewHandler key={handler.handler} handler={handler} />
      ))}
    </div>
  )
}

const woulds: Readonly<Record<HandlerPreview['would'], string>> = {
  succeed: 'would succeed',
  fail: 'would fail',
  defer: 'would be deferred',
  end_stale: 'would end as stale',
  same_change: 'would not run: the same change was told before',
}

function PreviewHandler({ handler }: { readonly handler: HandlerPreview }) {
  const { would, reason, effects } = handler
  const kind = would === 'succeed' ? 'good' : would === 'fail' ? 'bad' : 'warn'
  return (
    <div class="stack tight">
      <div class="row wrap">
        <code>
          <Foreign text={handler.handler} />
        </code>
        <Badge kind={kind}>{woulds[would]}</Badge>
      </div>
      {reason != null && (
        <p class="small muted">
          <Foreign text={reason} />
        </p>
      )}
      {effects.length === 0 ? (
        <p class="small muted">
          It uses no effect keys, versions or messages. Rows it writes through its transaction are written.
        </p>
      ) : (
        <ul class="stack tight">
          {effects.map((note, index) => (
            <li class="row wrap small" key={`${index}`}>
              <StatusBadge status={isFired(note) ? 'applied' : 'skipped'} />
              <span>{noteText(note)}</span>
              <code>
                <Foreign text={note.key} />
              </code>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function isFired({ outcome }: EffectNote): boolean {
  return outcome === 'applied' || outcome === 'added' || outcome === 'stored' || outcome === 'deleted'
}

function noteText(note: EffectNote): string {
  const outcome = isFired(note) ? 'would fire' : `would be passed over (${words(note.outcome)})`
  switch (note.kind) {
    case 'effect':
      return `effect ${outcome}:`
    case 'version':
      return `version ${note.version} ${outcome}:`
    case 'change':
      return `change ${outcome}:`
    case 'message':
      return `message to ${note.target} ${isFired(note) ? 'would be sent' : 'is there already'}:`
    case 'value':
      return `value in ${note.namespace} would be ${note.outcome}:`
  }
}
