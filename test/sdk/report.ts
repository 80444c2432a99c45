import type { Adapter, Difference } from './adapter.ts'
import type { Comparison, Disagreement } from './compare.ts'

const columns = ['provider', 'library', 'requests', 'both accept', 'both refuse', 'listed differences', 'unlisted']

/** One line for every library, for the terminal. */
export function tableOf(comparisons: readonly Comparison[], versions: Readonly<Record<string, string>>): string {
  const rows = [columns, ...comparisons.map((comparison) => cellsOf(comparison, versions))]
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Each disagreement without a reason, so that it can be repeated. */
export function disagreementsOf({ adapter, unlisted }: Comparison, most = 12): string {
  const shown = firstOfEachKind(unlisted).slice(0, most)
  return shown.map((disagreement) => `\n${titleOf(adapter)}, ${describe(disagreement)}`).join('\n')
}

/** The page that says what we were checked against. */
export function pageOf(
  comparisons: readonly Comparison[],
  versions: Readonly<Record<string, string>>,
  seed: string,
): string {
  const libraries = new Set(comparisons.map(({ adapter }) => adapter.library)).size
  const requests = comparisons.reduce((sum, comparison) => sum + comparison.requests, 0)
  const head = ['Provider', 'Library', 'Asked', 'Requests', 'Both accept', 'Both refuse', 'Explained below']
  const rows = comparisons.map((comparison) => {
    const { adapter, bothAccept, bothRefuse, listed, known } = comparison
    const explained = sumOf(listed) + sumOf(known)
    return [
      titleOf(adapter),
      `\`${adapter.library}\` ${versions[adapter.library] ?? ''}`,
      `\`${adapter.calls}\``,
      comparison.requests,
      bothAccept,
      bothRefuse,
      explained,
    ]
  })
  return `# Checked against the providers' own libraries

\`npm run test:sdks -- --write\` installs the libraries, asks them and Oncehook about the same requests, and writes this page. \
It compared ${libraries} libraries on ${requests.toLocaleString('en-GB')} requests, made from the seed \`${seed}\`.

The requests are valid ones (our samples, signed by us and by the library where it can sign) and altered ones: bytes of the body changed, bodies written anew, \
signatures cut off, changed, repeated, in other encodings or under other versions, wrong and second secrets, timestamps around the tolerance, several signatures in a header, other addresses. \
A disagreement that is not explained here fails the run.

${[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')}

## Where we differ, and why

${comparisons
  .map(differencesOf)
  .filter((text) => text !== '')
  .join('\n\n')}
`
}

function differencesOf({ adapter, listed, known }: Comparison): string {
  const shown = [...listed, ...known].filter(([, count]) => count > 0)
  if (shown.length === 0) return ''
  const lines = shown.map(([{ name, we, reason }, count]) => `- **${name}** (we ${we}, ${count} requests): ${reason}`)
  return `### ${titleOf(adapter)}\n\n${lines.join('\n')}`
}

function cellsOf(comparison: Comparison, versions: Readonly<Record<string, string>>): readonly string[] {
  const { adapter, requests, bothAccept, bothRefuse, listed, known, unlisted } = comparison
  const named = (mark: string, differences: ReadonlyMap<Difference, number>) =>
    [...differences].filter(([, count]) => count > 0).map(([{ name }, count]) => `${mark}${name} ${count}`)
  return [
    titleOf(adapter),
    `${adapter.library}@${versions[adapter.library] ?? '?'}`,
    String(requests),
    String(bothAccept),
    String(bothRefuse),
    [...named('', listed), ...named('KNOWN: ', known)].join(', ') || '-',
    String(unlisted.length),
  ]
}

/** The provider, and which of its adapters this is. */
export function titleOf({ provider, variant }: Adapter): string {
  return variant === undefined ? provider : `${provider} ${variant}`
}

function describe({ request, ours, theirs }: Disagreement): string {
  const { number, mutation, delivery, at } = request
  const headers = [...delivery.headers].map(([name, values]) => `    ${name}: ${JSON.stringify(values)}`)
  const body = Buffer.from(delivery.body).toString('utf8')
  return [
    `request ${number} (${mutation}): the library ${theirs} it, we say ${ours}`,
    `  at ${at.toISOString()}, ${delivery.method} ${delivery.url}`,
    ...headers,
    `    ${JSON.stringify(body.length > 300 ? `${body.slice(0, 300)}…` : body)}`,
  ].join('\n')
}

function firstOfEachKind(disagreements: readonly Disagreement[]): readonly Disagreement[] {
  const kinds = new Map(disagreements.map((each) => [`${each.request.mutation} ${each.theirs}`, each]))
  return [...kinds.values()]
}

function sumOf(differences: ReadonlyMap<Difference, number>): number {
  return [...differences.values()].reduce((sum, count) => sum + count, 0)
}
