import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useResource } from '../api/hooks.ts'
import type { CaptureInBrief } from '../api/tool-types.ts'
import type { Page, Receipt } from '../api/types.ts'
import { linkTo } from '../logic/route.ts'
import { Foreign, StatusBadge, Time } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Await, Empty } from '../ui/states.tsx'
import { AnswerBadge } from './answer-badge.tsx'

const mostOthers = 4

/** Chooses what an event is laid beside: others of its object, or of its type, and requests that were captured of it. */
export function CompareWith({ receipt, onClose }: { readonly receipt: Receipt; readonly onClose: () => void }) {
  const { id, source, type, objectId, eventId } = receipt
  const [chosen, setChosen] = useState<readonly string[]>([])
  const same = objectId == null ? { type } : { objectId }
  const others = useResource<Page<Receipt>>(apiPath(['receipts'], { source, ...same, limit: '30' }))
  const captures = useResource<Page<CaptureInBrief>>(apiPath(['captures'], { q: eventId.slice(0, 500), limit: '30' }))
  const captured = captures.value?.items.filter(({ identity }) => identity?.eventId === eventId) ?? []
  const lineOf = (item: string, children: ComponentChildren) => (
    <li key={item}>
      <label class="check">
        <input
          type="checkbox"
          checked={chosen.includes(item)}
          disabled={!chosen.includes(item) && chosen.length >= mostOthers}
          onChange={() =>
            setChosen((before) => (before.includes(item) ? before.filter((one) => one !== item) : [...before, item]))
          }
        />
        <span class="row wrap">{children}</span>
      </label>
    </li>
  )
  const items = [`receipt:${id}`, ...chosen].join(',')
  return (
    <Dialog
      title="Compare with"
      onClose={onClose}
      footer={
        chosen.length > 0 && (
          <a class="button main-action" href={linkTo(['compare'], { items })}>
            Compare {chosen.length + 1}
          </a>
        )
      }
    >
      <p class="muted">
        {objectId == null ? 'Others of the same type' : 'Others of the same object'}, and captures of this event. Up to{' '}
        {mostOthers}.
      </p>
      <Await resource={others}>
        {(page) => {
          const found = page.items.filter((one) => one.id !== id)
          if (found.length + captured.length === 0) return <Empty title="There is no other one" />
          return (
            <ul class="stack tight">
              {captured.map((one) =>
                lineOf(
                  `capture:${one.id}`,
                  <>
                    <AnswerBadge answer={one.answer} />
                    <Foreign text={`${one.method} ${one.path === '' ? '/' : one.path}`} />
                    <span class="muted small">
                      captured at <Foreign text={one.endpoint} /> · <Time at={one.at} />
                    </span>
                  </>,
                ),
              )}
              {found.map((one) =>
                lineOf(
                  `receipt:${one.id}`,
                  <>
                    <StatusBadge status={one.status} />
                    <Foreign text={one.type} />
                    <span class="muted small">
                      <Foreign text={one.eventId} /> · <Time at={one.receivedAt} />
                    </span>
                  </>,
                ),
              )}
            </ul>
          )
        }}
      </Await>
    </Dialog>
  )
}
