import type { Difference } from './adapter.ts'
import type { Comparison } from './compare.ts'
import { titleOf } from './report.ts'

/** The page that says what we were checked against. */
export function pageOf(
  comparisons: readonly Comparison[],
  versions: Readonly<Record<string, string>>,
  seed: string,
): string {
  const libraries = new Set(comparisons.map(({ adapter }) => adapter.library)).size
  const requests = comparisons.reduce((sum, comparison) => sum + comparison.requests, 0)
  return `# Checked against the providers' own libraries

\`npm run test:sdks -- --write\` installs ${libraries} libraries of providers, asks each of them and Oncehook about the same requests, and writes this page. \
Its ${requests.toLocaleString('en-GB')} requests are made from the seed \`${seed}\`; \`--seed\` makes others, \`--only stripe,github\` chooses. \
Keys for RSA and ECDSA are new in every run, so the figures of those who use them vary a little.

Some requests are valid: our samples, and odd bodies, signed by us and by the library where it can sign. The others are altered: bytes of the body changed, \
bodies written anew, signatures cut off, changed, repeated, in other encodings or under other versions, wrong and second secrets, timestamps around the tolerance, \
several signatures in one header, other addresses. A disagreement that is not explained below fails the run, and so does one where only we accept what is not exactly what was signed.

${tableOf(comparisons, versions)}

## What only we refuse

${differencesOf(comparisons, 'refuse')}

## What only we accept

${differencesOf(comparisons, 'accept')}
${knownOf(comparisons)}`
}

function tableOf(comparisons: readonly Comparison[], versions: Readonly<Record<string, string>>): string {
  const head = [
    'Provider',
    'Library',
    'Asked',
    'Requests',
    'Both accept',
    'Both refuse',
    'Only we refuse',
    'Only we accept',
  ]
  const rows = comparisons.map(({ adapter, requests, bothAccept, bothRefuse, listed, known }) => {
    const all = [...listed, ...known]
    const count = (we: Difference['we']) =>
      all.filter(([difference]) => difference.we === we).reduce((sum, [, times]) => sum + times, 0)
    const library = `\`${adapter.library}\` ${versions[adapter.library] ?? ''}`
    return [
      titleOf(adapter),
      library,
      `\`${adapter.calls}\``,
      requests,
      bothAccept,
      bothRefuse,
      count('refuse'),
      count('accept'),
    ]
  })
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** Each difference once, with those that it was seen with. */
function differencesOf(comparisons: readonly Comparison[], we: Difference['we']): string {
  const seen = new Map<Difference, string[]>()
  for (const { adapter, listed } of comparisons) {
    for (const [difference, count] of listed) {
      if (count === 0 || difference.we !== we) continue
      seen.set(difference, [...(seen.get(difference) ?? []), `${titleOf(adapter)} (${count})`])
    }
  }
  return [...seen]
    .toSorted(([one], [other]) => one.name.localeCompare(other.name))
    .map(([{ name, reason }, titles]) => `- **${name}.** ${reason}\n  Seen with ${titles.join(', ')}.`)
    .join('\n')
}

function knownOf(comparisons: readonly Comparison[]): string {
  const lines = comparisons.flatMap(({ adapter, known }) =>
    [...known]
      .filter(([, count]) => count > 0)
      .map(([{ name, reason }, count]) => `- **${titleOf(adapter)}: ${name}** (${count} requests). ${reason}`),
  )
  return lines.length === 0 ? '' : `\n## Where we are wrong\n\n${lines.join('\n')}\n`
}
