import { writeFileSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { providerModules } from '../../src/cli/provider-modules.ts'
import { loadSamples } from '../../src/testing/samples/index.ts'
import type { Provider } from '../../src/verify/provider.ts'
import type { ProviderOptions } from '../../src/verify/provider-options.ts'
import type { Adapter } from './adapter.ts'
import { adapters } from './adapters/index.ts'
import { type Comparison, compare } from './compare.ts'
import { libraryVersions } from './load-library.ts'
import type { Workshop } from './make-requests.ts'
import { pageOf } from './page.ts'
import { disagreementsOf, tableOf, titleOf } from './report.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: 'oncehook' },
    requests: { type: 'string', default: '1000' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const chosen = adapters.filter(({ provider }) => values.only === undefined || values.only.split(',').includes(provider))
const versions = libraryVersions()

console.log(`seed ${values.seed}`)
const comparisons: Comparison[] = []
for (const adapter of chosen) {
  const comparison = await compare(await workshopOf(adapter, values.seed), Number(values.requests))
  console.log(`${titleOf(adapter)}: ${comparison.unlisted.length} unlisted disagreements`)
  comparisons.push(comparison)
}

console.log(comparisons.map((comparison) => disagreementsOf(comparison)).join(''))
console.log(tableOf(comparisons, versions))
for (const { adapter, listed } of comparisons) {
  const unseen = [...listed].filter(([, count]) => count === 0).map(([{ name }]) => name)
  if (unseen.length > 0) console.log(`${titleOf(adapter)}: listed, but not seen: ${unseen.join(', ')}`)
}
const isPartial = chosen.length < adapters.length
const mistakes = [
  ...comparisons.flatMap(mistakesOf),
  ...(values.write && isPartial ? ['The page is written for all libraries together: leave out --only.'] : []),
]
for (const mistake of mistakes) console.error(mistake)
if (values.write && mistakes.length === 0) {
  writeFileSync(new URL('../../docs/checked-against.md', import.meta.url), pageOf(comparisons, versions, values.seed))
}
process.exit(mistakes.length === 0 ? 0 : 1)

async function workshopOf(adapter: Adapter, seed: string): Promise<Workshop> {
  const create = (await providerModules[adapter.provider]?.()) as ((options: ProviderOptions) => Provider) | undefined
  if (create === undefined) throw new Error(`There is no provider ${adapter.provider}.`)
  return { adapter, create, seed, library: await adapter.load(), samples: await loadSamples(adapter.provider) }
}

/** A comparison that hardly believes or refuses anything would prove nothing. */
function mistakesOf({ adapter, requests, bothAccept, bothRefuse, unlisted }: Comparison): readonly string[] {
  const title = titleOf(adapter)
  return [
    ...(unlisted.length === 0 ? [] : [`${title}: ${unlisted.length} disagreements have no reason.`]),
    ...(bothAccept >= requests / 20 ? [] : [`${title}: only ${bothAccept} requests were accepted by both.`]),
    ...(bothRefuse >= requests / 5 ? [] : [`${title}: only ${bothRefuse} requests were refused by both.`]),
  ]
}
