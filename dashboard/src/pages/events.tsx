import { useEffect, useRef, useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useApp, useLive, useMay, usePaged } from '../api/hooks.ts'
import type { Receipt } from '../api/types.ts'
import { formatCount } from '../logic/format.ts'
import { noRows, paused, type Row, type RowFilter, resumed, withEvent, withPage } from '../logic/live-rows.ts'
import { linkTo, type Route } from '../logic/route.ts'
import { EventFilters } from '../parts/event-filters.tsx'
import { EventTable } from '../parts/event-table.tsx'
import { ReplayDialog } from '../parts/replay-dialog.tsx'
import { Button } from '../ui/basics.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Pager } from '../ui/pager.tsx'
import { Await, Empty } from '../ui/states.tsx'
import { goTo, replaceQuery } from '../ui/use-route.ts'
import { useShortcuts } from '../ui/use-shortcuts.ts'

const mostCompared = 5

/** The ledger, newest first; its first page is live. Only one page is held, however many there are. */
export function Events({ route }: { readonly route: Route }) {
  const { features } = useApp().session
  const filter = filterOf(route)
  const key = JSON.stringify([...route.query])
  const page = usePaged<Receipt>(key, (cursor) => apiPath(['receipts'], { ...Object.fromEntries(route.query), cursor }))
  const [live, setLive] = useState(noRows)
  const [place, setPlace] = useState(-1)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isReplaying, setReplaying] = useState(false)
  const search = useRef<HTMLInputElement>(null)
  const mayReplay = useMay('operator')

  useEffect(() => {
    setLive((before) => ({ ...noRows, isPaused: before.isPaused }))
    setPlace(-1)
    setChosen(new Set())
  }, [key])
  useEffect(() => {
    if (page.value !== undefined) setLive((before) => withPage(page.isFirst ? before : noRows, page.value?.items ?? []))
  }, [page.value])
  useLive((event) => {
    if (event.kind === 'gap') page.reload()
    if (page.isFirst) setLive((before) => withEvent(before, event, filter))
  })

  const { rows, isPaused, held, forgotten } = live
  const turnPause = (): void => setLive((before) => (before.isPaused ? resumed(before, filter) : paused(before)))
  const move = (step: number): void => setPlace((before) => Math.max(0, Math.min(rows.length - 1, before + step)))
  const open = (row: Row | undefined): void => {
    if (row?.kind === 'receipt') goTo(['receipts', row.receipt.id])
    if (row?.kind === 'refusal') goTo(['sources', row.refusal.source])
  }
  const mark = (id: string): void =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
  const atPlace = rows[place]
  useShortcuts({
    next: () => move(1),
    previous: () => move(-1),
    open: () => open(atPlace),
    mark: () => atPlace?.kind === 'receipt' && mark(atPlace.receipt.id),
    pause: turnPause,
    search: () => search.current?.focus(),
  })
  const ids = [...chosen]
  return (
    <>
      <PageHead title="Events" lead="Every event once, however often it came. The first page follows what happens.">
        {page.isFirst && (
          <Button icon={isPaused ? 'play' : 'pause'} aria-pressed={isPaused} onClick={turnPause}>
            {isPaused ? `Go on${held.length > 0 ? ` (${formatCount(held.length + forgotten)} waiting)` : ''}` : 'Pause'}
          </Button>
        )}
      </PageHead>
      <EventFilters route={route} searchRef={search} onChange={(changes) => replaceQuery(route, changes)} />
      <section class="card" aria-label="List of events">
        {ids.length > 0 && (
          <div class="choice-bar">
            <span class="grow">{ids.length} chosen</span>
            {features.captures && ids.length >= 2 && ids.length <= mostCompared && (
              <a class="button" href={linkTo(['compare'], { items: ids.map((id) => `receipt:${id}`).join(',') })}>
                Compare {ids.length}
              </a>
            )}
            {mayReplay && (
              <Button icon="replay" onClick={() => setReplaying(true)}>
                Replay…
              </Button>
            )}
            <Button look="plain" onClick={() => setChosen(new Set())}>
              Clear
            </Button>
          </div>
        )}
        <Await resource={page}>
          {() =>
            rows.length === 0 ? (
              <NoEvents isFiltered={route.query.size > 0} isLast={page.older === undefined} />
            ) : (
              <EventTable rows={rows} place={place} chosen={chosen} onMark={mark} onPlace={setPlace} />
            )
          }
        </Await>
        <Pager paged={page} />
      </section>
      {isReplaying && (
        <ReplayDialog
          selection={{ ids }}
          count={ids.length}
          onClose={() => setReplaying(false)}
          onDone={() => setChosen(new Set())}
        />
      )}
    </>
  )
}

function NoEvents({ isFiltered, isLast }: { readonly isFiltered: boolean; readonly isLast: boolean }) {
  if (!isLast)
    return (
      <Empty title="Nothing on this page">
        <p>The search goes on with older events: press Older.</p>
      </Empty>
    )
  return isFiltered ? (
    <Empty title="Nothing fits these filters">
      <a href={linkTo(['events'])}>Show all events</a>
    </Empty>
  ) : (
    <Empty title="No events yet">
      <p>
        Send a webhook to one of the <a href={linkTo(['sources'])}>sources</a>, and it appears here at once.
      </p>
    </Empty>
  )
}

function filterOf({ query }: Route): RowFilter {
  return {
    source: query.get('source'),
    type: query.get('type'),
    status: query.get('status')?.split(','),
    q: query.get('q'),
  }
}
