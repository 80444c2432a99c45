import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useResource } from '../api/hooks.ts'
import type { Page, Receipt } from '../api/types.ts'
import { linkTo } from '../logic/route.ts'
import { Foreign, StatusBadge, Time } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Await, Empty } from '../ui/states.tsx'

const mostOthers = 4

/** Chooses what an event is laid beside: others of its object, or of its type. */
export function CompareWith({ receipt, onClose }: { readonly receipt: Receipt; readonly onClose: () => void }) {
  const { id, source, type, objectId } = receipt
  const [chosen, setChosen] = useState<readonly string[]>([])
  const same = objectId == null ? { type } : { objectId }
  const others = useResource<Page<Receipt>>(apiPath(['receipts'], { source, ...same, limit: '30' }))
  const turn = (one: string): void =>
    setChosen((before) => (before.includes(one) ? before.filter((other) => other !== one) : [...before, one]))
  const items = [id, ...chosen].map((one) => `receipt:${one}`).join(',')
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
        {objectId == null ? 'Others of the same type.' : 'Others of the same object.'} Up to {mostOthers}.
      </p>
      <Await resource={others}>
        {(page) => {
          const found = page.items.filter((one) => one.id !== id)
          if (found.length === 0) return <Empty title="There is no other one" />
          return (
            <ul class="stack tight">
              {found.map((one) => (
                <li key={one.id}>
                  <label class="check">
                    <input
                      type="checkbox"
                      checked={chosen.includes(one.id)}
                      disabled={!chosen.includes(one.id) && chosen.length >= mostOthers}
                      onChange={() => turn(one.id)}
                    />
                    <StatusBadge status={one.status} />
                    <Foreign text={one.type} />
                    <span class="muted small">
                      <Foreign text={one.eventId} /> · <Time at={one.receivedAt} />
                    </span>
                  </label>
                </li>
              ))}
            </ul>
          )
        }}
      </Await>
    </Dialog>
  )
}
