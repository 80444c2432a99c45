import { type Measurement, medianOf, ratioOf, scenesOf } from './measurements.ts'
import type { Metric, Section } from './section.ts'
import type { TargetResult } from './targets.ts'

/** A table before it is drawn: for a terminal or for a page. */
export type Table = {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly { readonly cells: readonly string[]; readonly isOurs: boolean }[]
}

/** One table for each scene that was measured. */
export function tablesOf(section: Section, measurements: readonly Measurement[]): readonly Table[] {
  return scenesOf(measurements, section.name).map((scene) => tableOf(section, scene, measurements))
}

function tableOf(section: Section, scene: string, measurements: readonly Measurement[]): Table {
  const place = { section: section.name, scene }
  const measured = section.contenders.filter(({ key }) =>
    measurements.some((one) => one.section === section.name && one.scene === scene && one.contender === key),
  )
  const metrics = section.metrics.filter(({ key: metric }) =>
    measured.some(({ key }) => medianOf(measurements, { ...place, contender: key, metric }) !== undefined),
  )
  const [headline] = metrics
  const rows = measured.map(({ key, title }) => {
    const figure = { ...place, contender: key, metric: headline?.key ?? '' }
    const ratio = ratioOf(measurements, figure, { ...figure, contender: section.baseline })
    const values = metrics.map((metric) =>
      written(medianOf(measurements, { ...place, contender: key, metric: metric.key }), metric),
    )
    return { cells: [title, ...values, ratio === undefined ? '–' : `${ratio.toFixed(2)} ×`], isOurs: isOurs(key) }
  })
  return { title: scene, columns: [section.title, ...metrics.map(({ title }) => title), 'ratio'], rows }
}

/** What was to be reached, what was, and whether that is enough. Only what was measured. */
export function targetTable(results: readonly TargetResult[]): Table {
  const rows = results.flatMap(({ text, value, demand, isMet }) => {
    if (value === undefined) return []
    const figure = value.toFixed(2)
    return [{ cells: [text, `${demand.kind} ${demand.bound}`, figure, isMet === true ? 'yes' : 'no'], isOurs: false }]
  })
  return { title: 'Targets', columns: ['target', 'wanted', 'measured', 'met'], rows }
}

function written(value: number | undefined, { digits }: Metric): string {
  if (value === undefined) return '–'
  // A rate below ten would be lost in whole numbers.
  const shown = digits === 0 && value < 10 && !Number.isInteger(value) ? 1 : digits
  return value.toLocaleString('en', { minimumFractionDigits: shown, maximumFractionDigits: shown })
}

function isOurs(key: string): boolean {
  return key.startsWith('oncehook')
}
