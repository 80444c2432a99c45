import { useEffect, useId, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { lonePlaces, wholeSteps } from '../logic/chart-ticks.ts'
import { formatTime } from '../logic/format.ts'
import { Button } from './basics.tsx'
import { isDark } from './theme.ts'

export type Series = {
  readonly name: string
  readonly colour: 'good' | 'busy' | 'warn' | 'bad' | 'quiet'
  readonly values: readonly (number | null)[]
}

export type ChartProps = {
  readonly title: string
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
}

const height = 180

/** Lines over time, and the same as a table for whoever cannot see them. */
export function Chart(props: ChartProps) {
  const { title, series } = props
  const [isTable, setTable] = useState(false)
  const id = useId()
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <span class="legend">
          {series.map(({ name, colour }) => (
            <span key={name}>
              <i style={{ background: `var(--${colour})` }} />
              {name}
            </span>
          ))}
        </span>
        <Button look="plain" size="tiny" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Table
        </Button>
      </header>
      <div class="inner">{isTable ? <ChartTable {...props} /> : <Canvas {...props} />}</div>
    </section>
  )
}

function Canvas({ title, times, series, format }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const [theme, setTheme] = useState(isDark())
  const latest = useRef(format)
  latest.current = format
  const data = [times, ...series.map(({ values }) => values)] as unknown as uPlot.AlignedData

  useEffect(() => {
    const look = (): void => setTheme(isDark())
    const media = matchMedia('(prefers-color-scheme: dark)')
    media.addEventListener('change', look)
    document.addEventListener('oncehook-theme', look)
    return () => {
      media.removeEventListener('change', look)
      document.removeEventListener('oncehook-theme', look)
    }
  }, [])
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const made = new uPlot(
      optionsOf(element, series, (value) => latest.current(value)),
      data,
      element,
    )
    plot.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: Math.max(element.clientWidth, 120), height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      made.destroy()
    }
  }, [theme, series.length])
  useEffect(() => plot.current?.setData(data), [times, series])
  return (
    <div
      class="chart"
      ref={place}
      role="img"
      aria-label={`${title}, drawn over time. The button Table shows the numbers.`}
    />
  )
}

function optionsOf(element: HTMLElement, series: readonly Series[], format: (value: number) => string): uPlot.Options {
  const style = getComputedStyle(element)
  const colour = (name: string): string => resolveColour(element, name)
  const font = `11px ${style.fontFamily}`
  const axis = { font, stroke: colour('muted'), grid: { stroke: colour('line'), width: 1 }, ticks: { show: false } }
  return {
    width: Math.max(element.clientWidth, 120),
    height,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    scales: { y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] } },
    axes: [
      { ...axis, size: 30, space: 70, values: '{HH}:{mm}' },
      { ...axis, size: 52, incrs: [...wholeSteps], values: (_, ticks) => ticks.map(format) },
    ],
    series: [
      {},
      ...series.map(({ name, colour: one }) => ({
        label: name,
        stroke: colour(one),
        width: 1.75,
        fill: `${colour(one)}1a`,
        points: {
          size: 6,
          fill: colour(one),
          filter: (self: uPlot, index: number) => lonePlaces([...(self.data[index] ?? [])]),
        },
      })),
    ],
  }
}

/** A canvas does not know `light-dark()`: the browser says what it comes to. */
function resolveColour(element: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(--${name})`
  element.append(probe)
  const [red = 0, green = 0, blue = 0] = (getComputedStyle(probe).color.match(/\d+/g) ?? []).map(Number)
  probe.remove()
  return `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

const mostRows = 60

function ChartTable({ times, series, format }: ChartProps) {
  const indices = times
    .map((_, index) => index)
    .toReversed()
    .slice(0, mostRows)
  return (
    <div class="scroll chart-table" tabIndex={0} role="region" aria-label="Numbers of the chart">
      <table>
        <thead>
          <tr>
            <th>Time</th>
            {series.map(({ name }) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {indices.map((index) => (
            <tr key={index}>
              <td class="number">{formatTime(new Date((times[index] ?? 0) * 1_000).toISOString()).slice(0, 16)}</td>
              {series.map(({ name, values }) => (
                <td key={name} class="number">
                  {values[index] == null ? '–' : format(values[index])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
