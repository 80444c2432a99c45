import { useMemo, useState } from 'preact/hooks'
import { useApp, useLiveRefresh, useResource } from '../api/hooks.ts'
import type { Backlog, Overview, Traffic } from '../api/types.ts'
import { formatCount, formatDelta, formatDuration, formatShare, many } from '../logic/format.ts'
import { linkTo } from '../logic/route.ts'
import { Guide } from '../parts/guide.tsx'
import { Chart } from '../ui/chart.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Await } from '../ui/states.tsx'
import { Tabs } from '../ui/tabs.tsx'

/** How things stand, in three numbers and three pictures. */
export function OverviewPage() {
  const { session } = useApp()
  const overview = useResource<Overview>('overview', { refreshSeconds: 15 })
  useLiveRefresh(({ kind }) => kind === 'delivery' || kind === 'handler', overview.reload)
  return (
    <>
      <PageHead title="Overview" />
      <div class="stack loose">
        {session.features.guide && <Guide />}
        <Await resource={overview}>{(value) => <Numbers overview={value} />}</Await>
        <Charts />
      </div>
    </>
  )
}

function Numbers({ overview }: { readonly overview: Overview }) {
  const { numbers, queue, outbox, alerts, sources, durability } = overview
  const { firstAttemptErrorRate: errors, duplicateRate, duplicateBaseline, ledgerRows, ledgerDelta } = numbers
  const isSpike = duplicateRate !== null && duplicateBaseline !== null && duplicateRate > duplicateBaseline * 2 + 0.01
  return (
    <>
      <div class="numbers">
        <Figure
          name="First-attempt error rate"
          value={errors === null ? '–' : formatShare(errors)}
          kind={errors === null ? 'quiet' : errors < 0.01 ? 'good' : errors < 0.1 ? 'warn' : 'bad'}
          about={errors === null ? 'No handler has run in the last hour' : 'of handler runs in the last hour'}
        />
        <Figure
          name="Duplicate rate"
          value={duplicateRate === null ? '–' : formatShare(duplicateRate)}
          kind={duplicateRate === null ? 'quiet' : isSpike ? 'warn' : 'good'}
          about={
            duplicateBaseline === null
              ? 'of deliveries in the last hour; no baseline yet'
              : `usually ${formatShare(duplicateBaseline)}; each was absorbed`
          }
        />
        <Figure
          name="Ledger"
          value={formatCount(ledgerRows)}
          kind="quiet"
          about={`${formatDelta(ledgerDelta)} in the last day`}
        />
      </div>
      <div class="strip">
        <Pill
          href={linkTo(['events'], { status: 'received,processing,retrying' })}
          name="Queue"
          text={backlogText(queue)}
        />
        <Pill
          href={linkTo(['dead-letters'])}
          name="Dead letters"
          text={queue.failed === 0 ? 'none' : formatCount(queue.failed)}
          kind={queue.failed === 0 ? 'good' : 'bad'}
        />
        <Pill
          href={linkTo(['messages'])}
          name="Outbox"
          text={
            outbox.failed === 0 ? backlogText(outbox) : `${formatCount(outbox.failed)} failed, ${backlogText(outbox)}`
          }
          kind={outbox.failed === 0 ? 'quiet' : 'bad'}
        />
        <Pill
          href={linkTo(['alerts'])}
          name="Alerts"
          text={alerts === 0 ? 'none open' : `${alerts} open`}
          kind={alerts === 0 ? 'good' : 'warn'}
        />
        <Pill href={linkTo(['sources'])} name="Sources" text={formatCount(sources)} />
      </div>
      {(durability?.warnings ?? []).map((warning) => (
        <p class="note warn" key={warning}>
          {warning}
        </p>
      ))}
    </>
  )
}

function backlogText({ waiting, oldestSeconds, retrying = 0 }: Backlog): string {
  const parts = [
    waiting === 0 ? 'nothing waits' : `${formatCount(waiting)} waiting`,
    ...(retrying > 0 ? [`${formatCount(retrying)} retrying`] : []),
    ...(oldestSeconds == null || oldestSeconds < 1 ? [] : [`oldest ${formatDuration(oldestSeconds * 1_000)}`]),
  ]
  return parts.join(', ')
}

type FigureProps = { readonly name: string; readonly value: string; readonly about: string; readonly kind: string }

function Figure({ name, value, about, kind }: FigureProps) {
  return (
    <div class="card figure" data-kind={kind}>
      <p class="muted">{name}</p>
      <p class="value">{value}</p>
      <p class="small muted">{about}</p>
    </div>
  )
}

type PillProps = { readonly href: string; readonly name: string; readonly text: string; readonly kind?: string }

function Pill({ href, name, text, kind = 'quiet' }: PillProps) {
  return (
    <a class="pill" data-kind={kind} href={href}>
      <span class="muted">{name}</span>
      <strong>{text}</strong>
    </a>
  )
}

type Range = '60' | '360' | '1440'

const ranges: readonly (readonly [Range, string])[] = [
  ['60', '1 h'],
  ['360', '6 h'],
  ['1440', '24 h'],
]

function Charts() {
  const [minutes, setMinutes] = useState<Range>('60')
  const traffic = useResource<Traffic>(`traffic?minutes=${minutes}`, { refreshSeconds: 15 })
  useLiveRefresh(({ kind }) => kind === 'delivery' || kind === 'handler', traffic.reload)
  return (
    <>
      <div class="row wrap">
        <h2 class="grow">Traffic</h2>
        <Tabs label="How far back" names={ranges} chosen={minutes} onChoose={setMinutes} />
      </div>
      <Await resource={traffic}>{(value) => <TrafficCharts traffic={value} />}</Await>
    </>
  )
}

function TrafficCharts({ traffic }: { readonly traffic: Traffic }) {
  const { buckets, bucketSeconds } = traffic
  const drawn = useMemo(() => {
    const times = buckets.map(({ at }) => Date.parse(at) / 1_000)
    const of = (name: 'accepted' | 'duplicates' | 'refused' | 'failed' | 'succeeded') => buckets.map((one) => one[name])
    return {
      times,
      traffic: [
        { name: 'Accepted', colour: 'good', values: of('accepted') },
        { name: 'Refused', colour: 'warn', values: of('refused') },
        { name: 'Failed runs', colour: 'bad', values: of('failed') },
      ],
      duplicates: [{ name: 'Duplicates', colour: 'busy', values: of('duplicates') }],
      lag: [{ name: 'Lag', colour: 'warn', values: buckets.map((one) => one.lagMilliseconds) }],
    } as const
  }, [buckets])
  const per = `per ${bucketSeconds === 60 ? 'minute' : formatDuration(bucketSeconds * 1_000)}`
  return (
    <div class="stack">
      <Chart title={`Deliveries ${per}`} times={drawn.times} series={drawn.traffic} format={formatCount} />
      <div class="grid">
        <Chart title={`Duplicates ${per}`} times={drawn.times} series={drawn.duplicates} format={formatCount} />
        <Chart title="From receipt to effect" times={drawn.times} series={drawn.lag} format={formatDuration} />
      </div>
      <p class="small muted">
        {many(
          buckets.reduce((sum, { accepted }) => sum + accepted, 0),
          'event',
        )}{' '}
        and{' '}
        {many(
          buckets.reduce((sum, { duplicates }) => sum + duplicates, 0),
          'duplicate',
        )}{' '}
        in this time.
      </p>
    </div>
  )
}
