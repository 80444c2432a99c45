import { type Measurement, medianOf } from './measurements.ts'
import type { Section } from './section.ts'

/** A group of bars: one scene of a section, by its first metric. */
export type Panel = { readonly section: Section; readonly scene: string; readonly title: string }

const width = 900
const labelWidth = 440
const barWidth = 380
const barHeight = 18
const gap = 8
const panelGap = 34

/** A bar chart that is readable on light and on dark pages. Undefined if none of the panels was measured. */
export function drawPicture(panels: readonly Panel[], measurements: readonly Measurement[]): string | undefined {
  const parts: string[] = []
  let top = 24
  for (const panel of panels) {
    const bars = barsOf(panel, measurements)
    if (bars.length === 0) continue
    parts.push(`<text class="title" x="0" y="${top}">${escaped(panel.title)}</text>`)
    const most = Math.max(...bars.map(({ value }) => value))
    for (const [index, bar] of bars.entries()) parts.push(drawBar(bar, most, top + 14 + index * (barHeight + gap)))
    top += 14 + bars.length * (barHeight + gap) + panelGap
  }
  if (parts.length === 0) return undefined
  const height = top - panelGap + 4
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Benchmarks of Oncehook and others">
${style}
${parts.join('\n')}
</svg>
`
}

const style = `<style>
  text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #24292f }
  .title { font-weight: 600; font-size: 14px }
  .value { font-variant-numeric: tabular-nums }
  .bar { fill: #b6bec8 }
  .ours { fill: #0a7d55 }
  @media (prefers-color-scheme: dark) {
    text { fill: #d6dde4 }
    .bar { fill: #57606a }
    .ours { fill: #2fb685 }
  }
</style>`

type Bar = { readonly title: string; readonly value: number; readonly isOurs: boolean }

function barsOf({ section, scene }: Panel, measurements: readonly Measurement[]): readonly Bar[] {
  const metric = section.metrics[0]?.key ?? ''
  return section.contenders.flatMap(({ key, title }) => {
    const value = medianOf(measurements, { section: section.name, scene, contender: key, metric })
    return value === undefined ? [] : [{ title, value, isOurs: key.startsWith('oncehook') }]
  })
}

function drawBar({ title, value, isOurs }: Bar, most: number, top: number): string {
  const length = Math.max(1, Math.round((value / most) * barWidth))
  const baseline = top + barHeight - 5
  const text = Math.round(value).toLocaleString('en')
  return [
    `<text x="${labelWidth - 8}" y="${baseline}" text-anchor="end">${escaped(title)}</text>`,
    `<rect class="${isOurs ? 'ours' : 'bar'}" x="${labelWidth}" y="${top}" width="${length}" height="${barHeight}" rx="3"/>`,
    `<text class="value" x="${labelWidth + length + 8}" y="${baseline}">${text}</text>`,
  ].join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
