import { useEffect, useState } from 'preact/hooks'
import type { Failure } from '../api/client.ts'
import { useApp } from '../api/hooks.ts'
import type { Comparison } from '../api/tool-types.ts'
import { differing, itemsOf, valueText } from '../logic/comparison.ts'
import { formatBytes, formatDuration, formatTime } from '../logic/format.ts'
import { linkTo, type Route } from '../logic/route.ts'
import { Card, Foreign } from '../ui/basics.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Empty, Failed, Waiting } from '../ui/states.tsx'

/** Two to five requests beside each other: what is equal, what differs, and whether they are one event. */
export function Compare({ route }: { readonly route: Route }) {
  const { api } = useApp()
  const text = route.query.get('items')
  const items = itemsOf(text)
  const [answer, setAnswer] = useState<Comparison | Failure | undefined>(undefined)
  const ask = (): void => {
    if (items.length < 2) return
    setAnswer(undefined)
    void api
      .call<Comparison>('POST', 'compare', { body: { items } })
      .then((result) => setAnswer(result.kind === 'ok' ? result.value : result.failure))
  }
  useEffect(ask, [text])
  return (
    <>
      <PageHead
        title={items.length < 2 ? 'Compare' : `Compare ${items.length}`}
        crumb={{ href: linkTo(['events']), name: 'Events' }}
      />
      {items.length < 2 ? (
        <div class="card">
          <Empty title="Choose two to five">
            <p>
              Tick events in the <a href={linkTo(['events'])}>list</a>, or requests of a{' '}
              <a href={linkTo(['captures'])}>capture</a>.
            </p>
          </Empty>
        </div>
      ) : answer === undefined ? (
        <Waiting />
      ) : 'identity' in answer ? (
        <Compared comparison={answer} />
      ) : (
        <Failed failure={answer} retry={ask} />
      )}
    </>
  )
}

const verdicts = {
  same_event: ['good', 'The same event'],
  mutated: ['warn', 'The same event, but changed'],
  replayed_body: ['warn', 'The same body under another id'],
  different_events: ['', 'Different events'],
  unknown: ['', 'It cannot be told'],
} as const

function Compared({ comparison }: { readonly comparison: Comparison }) {
  const { identity, items, headers, body, timing, areBytesEqual, isTruncated } = comparison
  const [kind, title] = verdicts[identity.verdict]
  const moments = items.map((_, index) => timing.find(({ place }) => place === index + 1))
  return (
    <div class="stack">
      <div class={`note ${kind}`} role="status">
        <strong>{title}.</strong> <Foreign text={identity.explanation} />
      </div>
      <Card title="Which" isFlush>
        <div class="scroll" tabIndex={0} role="region" aria-label="What is compared">
          <table class="compare">
            <thead>
              <tr>
                <th>
                  <span class="hidden-text">Name</span>
                </th>
                {items.map((item, index) => (
                  <th key={`${item.kind} ${item.id}`}>
                    <a href={linkOf(item)}>
                      {item.kind} {index + 1}
                    </a>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <ValueRow name="from" values={items.map(({ name }) => name)} />
              <ValueRow name="event" values={items.map((item) => item.identity?.eventId)} />
              <ValueRow name="type" values={items.map((item) => item.identity?.type)} />
              <ValueRow name="request" values={items.map(({ method, path }) => `${method} ${path}`)} />
              <ValueRow name="size" values={items.map(({ bytes }) => formatBytes(bytes))} />
              <ValueRow name="came" values={items.map(({ at }) => formatTime(at))} isMarked={false} />
              <ValueRow
                name="after the first"
                values={moments.map((moment) => moment && formatDuration(moment.sinceFirstMilliseconds))}
                isMarked={false}
              />
              <ValueRow
                name="after the one before"
                values={moments.map((moment) => moment && formatDuration(moment.sincePreviousMilliseconds))}
                isMarked={false}
              />
            </tbody>
          </table>
        </div>
      </Card>
      <Difference
        title="Body"
        rows={body.map(({ path, values }) => ({ name: path, values }))}
        none={areBytesEqual ? 'Every byte is equal.' : 'The documents say the same; only their layout differs.'}
        isTruncated={isTruncated}
      />
      <Difference title="Headers" rows={headers} none="All equal." />
    </div>
  )
}

function linkOf({ kind, id, name }: Comparison['items'][number]): string {
  return kind === 'receipt' ? linkTo(['receipts', id]) : linkTo(['captures', name, id])
}

type DifferenceProps = {
  readonly title: string
  /** Only what differs. */
  readonly rows: readonly { readonly name: string; readonly values: readonly unknown[] }[]
  readonly none: string
  readonly isTruncated?: boolean
}

const mostRows = 500

function Difference({ title, rows, none, isTruncated = false }: DifferenceProps) {
  const shown = rows.slice(0, mostRows)
  const isCut = isTruncated || shown.length < rows.length
  return (
    <Card
      title={title}
      isFlush
      actions={
        <span class="small muted">
          {rows.length === 0 ? 'no difference' : `${rows.length} different`}
          {isCut && ', and more'}
        </span>
      }
    >
      {shown.length === 0 ? (
        <p class="inner muted">{none}</p>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label={`${title} beside each other`}>
          <table class="compare">
            <tbody>
              {shown.map(({ name, values }, index) => (
                <ValueRow key={`${index} ${name}`} name={name} values={values} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}

type ValueRowProps = { readonly name: string; readonly values: readonly unknown[]; readonly isMarked?: boolean }

function ValueRow({ name, values, isMarked = true }: ValueRowProps) {
  const marks = differing(values)
  return (
    <tr>
      <th scope="row" class="mono">
        <Foreign text={name} />
      </th>
      {values.map((value, index) => {
        const text = valueText(value)
        return (
          <td key={index} class="mono" data-differs={isMarked && marks[index] === true ? 'yes' : 'no'}>
            {text === undefined ? <span class="muted">–</span> : <Foreign text={text.slice(0, 500)} />}
          </td>
        )
      })}
    </tr>
  )
}
