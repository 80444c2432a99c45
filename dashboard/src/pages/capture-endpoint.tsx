import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useLiveRefresh, useMay, usePaged, useResource } from '../api/hooks.ts'
import type { CaptureEndpoint, CaptureInBrief } from '../api/tool-types.ts'
import { formatBytes } from '../logic/format.ts'
import { linkTo, type Route } from '../logic/route.ts'
import { AnswerBadge } from '../parts/answer-badge.tsx'
import { ConfirmDialog } from '../parts/reason-dialog.tsx'
import { RuleEditor } from '../parts/rule-editor.tsx'
import { Button, Foreign, Ident, TextField, Time } from '../ui/basics.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Pager } from '../ui/pager.tsx'
import { Await, Empty } from '../ui/states.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { goTo, replaceQuery } from '../ui/use-route.ts'

type View = 'requests' | 'rules'
const mostCompared = 5

/** What came to one address, and how it answers. */
export function CaptureEndpointPage({ name, route }: { readonly name: string; readonly route: Route }) {
  const endpoint = useResource<CaptureEndpoint>(apiPath(['capture-endpoints', name]))
  const view: View = route.query.get('view') === 'rules' ? 'rules' : 'requests'
  const [asking, setAsking] = useState<'clear' | 'delete' | undefined>(undefined)
  const [round, setRound] = useState(0)
  const mayAct = useMay('operator')
  return (
    <>
      <PageHead
        title={<Foreign text={name} />}
        crumb={{ href: linkTo(['captures']), name: 'Captures' }}
        lead={<Ident text={endpoint.value?.url ?? `/capture/${name}`} label="Address" />}
      >
        <Tabs
          label="What is shown"
          names={[
            ['requests', 'Requests'],
            ['rules', 'Rules'],
          ]}
          chosen={view}
          onChoose={(one) => replaceQuery(route, { view: one === 'requests' ? undefined : one })}
        />
        {mayAct && (
          <>
            <Button onClick={() => setAsking('clear')}>Clear…</Button>
            <Button icon="trash" look="danger" name="Delete the endpoint" onClick={() => setAsking('delete')} />
          </>
        )}
      </PageHead>
      {view === 'rules' ? <RuleEditor endpoint={name} /> : <Requests key={round} name={name} route={route} />}
      {asking === 'clear' && (
        <ConfirmDialog
          title="Clear the endpoint"
          text="All requests that were captured here are deleted. The rules stay."
          button="Clear"
          method="POST"
          path="captures/clear"
          body={{ endpoint: name }}
          onClose={() => setAsking(undefined)}
          onDone={() => setRound(round + 1)}
        />
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title="Delete the endpoint"
          text="It is deleted with its rules and all that was captured."
          button="Delete"
          method="DELETE"
          path={apiPath(['capture-endpoints', name])}
          onClose={() => setAsking(undefined)}
          onDone={() => goTo(['captures'])}
        />
      )}
    </>
  )
}

function Requests({ name, route }: { readonly name: string; readonly route: Route }) {
  const q = route.query.get('q')
  const page = usePaged<CaptureInBrief>(q ?? '', (cursor) => apiPath(['captures'], { endpoint: name, q, cursor }))
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [text, setText] = useState(q ?? '')
  useLiveRefresh((event) => event.kind === 'capture' && event['endpoint'] === name && page.isFirst, page.reload)
  const turn = (id: string): void =>
    setChosen((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]))
  return (
    <>
      <div class="filters">
        <TextField
          label="Search"
          type="search"
          value={text}
          onText={setText}
          placeholder="Path, event id or type"
          onChange={() => replaceQuery(route, { q: text.trim() })}
        />
      </div>
      <section class="card" aria-label="Requests">
        {chosen.length > 0 && (
          <div class="choice-bar">
            <span class="grow">{chosen.length} chosen</span>
            {chosen.length >= 2 && chosen.length <= mostCompared ? (
              <a
                class="button main-action"
                href={linkTo(['compare'], { items: chosen.map((id) => `capture:${id}`).join(',') })}
              >
                Compare {chosen.length}
              </a>
            ) : (
              <span class="muted small">2 to {mostCompared} can be compared</span>
            )}
            <Button look="plain" onClick={() => setChosen([])}>
              Clear
            </Button>
          </div>
        )}
        <Await resource={page}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="Nothing was captured">
                <p>Send anything to the address above: it appears here at once.</p>
              </Empty>
            ) : (
              <CaptureTable captures={items} chosen={chosen} onTurn={turn} />
            )
          }
        </Await>
        <Pager paged={page} />
      </section>
    </>
  )
}

type CaptureTableProps = {
  readonly captures: readonly CaptureInBrief[]
  readonly chosen: readonly string[]
  readonly onTurn: (id: string) => void
}

function CaptureTable({ captures, chosen, onTurn }: CaptureTableProps) {
  return (
    <table class="stacking">
      <thead>
        <tr>
          <th>
            <span class="hidden-text">Chosen</span>
          </th>
          <th>Answer</th>
          <th>Request</th>
          <th>Recognised as</th>
          <th class="end">Size</th>
          <th class="end">When</th>
        </tr>
      </thead>
      <tbody>
        {captures.map((capture) => (
          <tr key={capture.id}>
            <td>
              <input
                type="checkbox"
                checked={chosen.includes(capture.id)}
                aria-label={`Choose request ${capture.id}`}
                onChange={() => onTurn(capture.id)}
              />
            </td>
            <td>
              <AnswerBadge answer={capture.answer} />
            </td>
            <td>
              <a class="mono" href={linkTo(['captures', capture.endpoint, capture.id])}>
                {capture.method} <Foreign text={capture.path === '' ? '/' : capture.path} />
                {capture.query !== '' && <Foreign text={`?${capture.query}`} />}
              </a>
            </td>
            <td class="small optional">
              {capture.identity != null && (
                <>
                  {capture.identity.provider} · <Foreign text={capture.identity.type} />
                </>
              )}
            </td>
            <td class="end number muted">{formatBytes(capture.bytes)}</td>
            <td class="end muted">
              <Time at={capture.at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
