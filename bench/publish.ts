import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Machine } from './machine.ts'
import type { Settings } from './settings.ts'
import type { Table } from './tables.ts'

const page = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url))
const pictureFile = fileURLToPath(new URL('../docs/benchmarks.svg', import.meta.url))
const pictureText = '![Bars: deliveries accepted, inline handlers and queued events per second](benchmarks.svg)'
const startMark = '<!-- figures: written by npm run bench -- --write -->'
const endMark = '<!-- end of figures -->'

export type Publication = {
  readonly machine: Machine
  readonly settings: Settings
  readonly sections: readonly { readonly title: string; readonly tables: readonly Table[] }[]
  readonly targets: Table
  /** The SVG, where there is one. */
  readonly picture: string | undefined
}

/** Puts the tables between the marks of the page on benchmarks, and the picture beside it. */
export async function publish(publication: Publication): Promise<void> {
  const text = await readFile(page, 'utf8')
  const start = text.indexOf(startMark)
  const end = text.indexOf(endMark)
  if (start < 0 || end < start) throw new Error(`docs/benchmarks.md has lost its marks: ${startMark} … ${endMark}`)
  const before = text.slice(0, start + startMark.length)
  await writeFile(page, `${before}\n\n${describe(publication)}\n\n${text.slice(end)}`)
  if (publication.picture !== undefined) await writeFile(pictureFile, publication.picture)
}

function describe({ machine, settings, sections, targets, picture }: Publication): string {
  const { processor, cores, memoryGigabytes, system, node, workerNode, postgres } = machine
  const rounds = `Medians of ${settings.rounds} ${settings.rounds === 1 ? 'round' : 'rounds'} of the ${settings.name} benchmark`
  const place = `${cores} cores of ${processor.trim()}, ${memoryGigabytes} GB, ${system}, PostgreSQL ${postgres}`
  const parts = sections.map(({ title, tables }) => [`### ${title}`, ...tables.map(markdown)].join('\n\n'))
  return [
    `${rounds}. ${place}. Servers on Node ${node.slice(1)}, workers on Node ${workerNode.slice(1)}.`,
    ...(picture === undefined ? [] : [pictureText]),
    ...parts,
    ...(targets.rows.length === 0 ? [] : ['### What was to be reached', markdown(targets)]),
  ].join('\n\n')
}

function markdown({ title, columns, rows }: Table): string {
  const [, ...others] = columns
  const head = [title, ...others]
  const lines = rows.map(({ cells, isOurs }) => cells.map((cell) => (isOurs ? `**${cell}**` : cell)))
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'))
  return [head, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
