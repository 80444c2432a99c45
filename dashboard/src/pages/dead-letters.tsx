import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useLiveRefresh, useMay, usePaged, useResource } from '../api/hooks.ts'
import type { DeadLetterGroup, Receipt } from '../api/types.ts'
import { isAlike } from '../logic/alike.ts'
import { many } from '../logic/format.ts'
import { linkTo } from '../logic/route.ts'
import { ReplayDialog, type Selection } from '../parts/replay-dialog.tsx'
import { Button, Foreign, Time } from '../ui/basics.tsx'
import { Icon } from '../ui/icons.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Pager } from '../ui/pager.tsx'
import { Await, Empty } from '../ui/states.tsx'

type Replaying = { readonly selection: Selection; readonly count: number | undefined }

/** What failed for good, by what went wrong, so that one fix is one replay. */
export function DeadLetters() {
  const groups = useResource<{ readonly items: readonly DeadLetterGroup[] }>('dead-letters/groups')
  const [open, setOpen] = useState<string | undefined>(undefined)
  const [replaying, setReplaying] = useState<Replaying | undefined>(undefined)
  const mayReplay = useMay('operator')
  useLiveRefresh(
    ({ kind, endsAs, outcome }) => kind === 'handler' && (endsAs !== undefined || outcome === 'dead'),
    groups.reload,
  )
  return (
    <>
      <PageHead
        title="Dead letters"
        lead="Events whose attempts are used up. They are kept whole; after the fix, replay them together."
      />
      <Await resource={groups}>
        {({ items }) =>
          items.length === 0 ? (
            <div class="card">
              <Empty title="No dead letters">
                <p>Every event that was accepted is done, or on its way.</p>
              </Empty>
            </div>
          ) : (
            <ul class="stack">
              {items.map((group) => (
                <li key={keyOf(group)} class="card">
                  <GroupHead
                    group={group}
                    isOpen={open === keyOf(group)}
                    onTurn={() => setOpen(open === keyOf(group) ? undefined : keyOf(group))}
                  />
                  {open === keyOf(group) && (
                    <GroupMembers group={group} mayReplay={mayReplay} onReplay={setReplaying} />
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Await>
      {replaying !== undefined && (
        <ReplayDialog {...replaying} onClose={() => setReplaying(undefined)} onDone={groups.reload} />
      )}
    </>
  )
}

function keyOf({ source, type, error }: DeadLetterGroup): string {
  return JSON.stringify([source, type, error])
}

type GroupHeadProps = { readonly group: DeadLetterGroup; readonly isOpen: boolean; readonly onTurn: () => void }

function GroupHead({ group, isOpen, onTurn }: GroupHeadProps) {
  const { source, type, error, count, lastAt } = group
  return (
    <button type="button" class="group-head" aria-expanded={isOpen} onClick={onTurn}>
      <Icon name="chevron" />
      <span class="badge bad">{count}</span>
      <span class="grow">
        <strong>
          <Foreign text={type} />
        </strong>{' '}
        <span class="muted">
          of <Foreign text={source} />
        </span>
        <span class="error-line small">
          <Foreign text={error} />
        </span>
      </span>
      <span class="muted small">
        <Time at={lastAt} />
      </span>
    </button>
  )
}

type GroupMembersProps = {
  readonly group: DeadLetterGroup
  readonly mayReplay: boolean
  readonly onReplay: (replaying: Replaying) => void
}

/** The ledger is asked by source and type; the error is compared here, on the page that came. */
function GroupMembers({ group, mayReplay, onReplay }: GroupMembersProps) {
  const { source, type, error, count } = group
  const page = usePaged<Receipt>(keyOf(group), (cursor) =>
    apiPath(['receipts'], { status: 'failed', source, type, cursor, limit: '100' }),
  )
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const turn = (id: string): void =>
    setLeft((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
  return (
    <Await resource={page}>
      {({ items }) => {
        const members = items.filter((receipt) => isAlike(receipt.lastError ?? '', error))
        const ids = members.filter(({ id }) => !left.has(id)).map(({ id }) => id)
        return (
          <>
            {mayReplay && (
              <div class="choice-bar">
                <span class="grow">
                  {many(ids.length, 'event')} chosen{members.length < count && `, of ${count} with this error`}
                </span>
                <Button
                  look="main-action"
                  icon="replay"
                  disabled={ids.length === 0}
                  onClick={() => onReplay({ selection: { ids }, count: ids.length })}
                >
                  Preview and replay…
                </Button>
                <Button
                  onClick={() =>
                    onReplay({ selection: { filter: { status: ['failed'], source, type } }, count: undefined })
                  }
                >
                  All failed of this type…
                </Button>
              </div>
            )}
            <ul class="members">
              {members.map(({ id, eventId, receivedAt, attempts }) => (
                <li key={id} class="row wrap">
                  {mayReplay && (
                    <input
                      type="checkbox"
                      checked={!left.has(id)}
                      aria-label={`Replay event ${eventId}`}
                      onChange={() => turn(id)}
                    />
                  )}
                  <a class="mono" href={linkTo(['receipts', id])}>
                    <Foreign text={eventId} />
                  </a>
                  <span class="grow" />
                  <span class="muted small">
                    {many(attempts, 'attempt')}, received <Time at={receivedAt} />
                  </span>
                </li>
              ))}
            </ul>
            <Pager paged={page} />
          </>
        )
      }}
    </Await>
  )
}
