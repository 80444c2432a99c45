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
