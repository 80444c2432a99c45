import { apiPath } from '../api/client.ts'
import { useAction, useLiveRefresh, useMay, usePaged } from '../api/hooks.ts'
import type { OutboxMessage } from '../api/types.ts'
import { many } from '../logic/format.ts'
import { linkTo, type Route } from '../logic/route.ts'
import { Button, Choice, Foreign, StatusBadge, Time } from '../ui/basics.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Pager } from '../ui/pager.tsx'
import { Await, Empty, Problem } from '../ui/states.tsx'
import { tell } from '../ui/toasts.tsx'
import { replaceQuery } from '../ui/use-route.ts'

const statuses: readonly (readonly [string, string])[] = [
  ['', 'Any status'],
  ['pending', 'Waiting'],
  ['published', 'Sent'],
  ['failed', 'Failed'],
]

/** What handlers have sent, or are about to: written with their effects, sent afterwards. */
export function Messages({ route }: { readonly route: Route }) {
  const status = route.query.get('status')
  const page = usePaged<OutboxMessage>(status ?? '', (cursor) => apiPath(['messages'], { status, cursor }))
  const action = useAction()
  const mayReplay = useMay('operator')
  useLiveRefresh(({ kind }) => kind === 'message', page.reload)
  const replay = (ids: readonly string[]): void =>
    void action.run<{ readonly ids: readonly string[] }>({
      method: 'POST',
      path: 'messages/replay',
      body: { ids },
      onDone: (sent) => {
        tell(`${many(sent.ids.length, 'message')} put back, with the same key.`)
        page.reload()
      },
    })
  return (
    <>
      <PageHead title="Outbox" lead="Messages are written in the handler's transaction and sent after its commit." />
      <div class="filters">
        <Choice
          label="Status"
          value={status ?? ''}
          choices={statuses}
          onChoice={(one) => replaceQuery(route, { status: one })}
        />
      </div>
      <Problem failure={action.failure} />
      <section class="card" aria-label="Messages">
        <Await resource={page}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No messages">
                <p>
                  Handlers add them with <code>outbox.add</code>.
                </p>
              </Empty>
            ) : (
              <MessageTable messages={items} replay={mayReplay ? replay : undefined} />
            )
          }
        </Await>
        <Pager paged={page} />
      </section>
    </>
  )
}

type MessageTableProps = {
  readonly messages: readonly OutboxMessage[]
  readonly replay: ((ids: readonly string[]) => void) | undefined
}

function MessageTable({ messages, replay }: MessageTableProps) {
  const failed = messages.filter(({ status }) => status === 'failed').map(({ id }) => id)
  return (
    <>
      {replay !== undefined && failed.length > 1 && (
        <div class="choice-bar">
          <span class="grow">{many(failed.length, 'message')} failed on this page</span>
          <Button icon="replay" onClick={() => replay(failed)}>
            Send all again
          </Button>
        </div>
      )}
      <table class="stacking">
        <thead>
          <tr>
            <th>Status</th>
            <th>Target</th>
            <th>Key</th>
            <th>Event</th>
            <th>Written</th>
            <th>
              <span class="hidden-text">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {messages.map((message) => (
            <tr key={message.id}>
              <td>
                <StatusBadge status={message.status} />
                {message.attempts > 1 && <span class="small muted"> {message.attempts} attempts</span>}
              </td>
              <td>
                <Foreign text={message.target} />
                {message.lastError != null && message.status !== 'published' && (
                  <p class="small error-line">
                    <Foreign text={message.lastError} />
                  </p>
                )}
              </td>
              <td class="mono id">
                <Foreign text={message.key} />
              </td>
              <td>
                {message.receiptId == null ? (
                  <span class="muted">an alert</span>
                ) : (
                  <a href={linkTo(['receipts', message.receiptId])}>Receipt {message.receiptId}</a>
                )}
              </td>
              <td class="muted">
                <Time at={message.createdAt} />
              </td>
              <td class="end">
                {replay !== undefined && message.status === 'failed' && (
                  <Button size="tiny" onClick={() => replay([message.id])}>
                    Send again
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
