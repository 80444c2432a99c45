// Writes the lists of providers and of their samples from the files that are there. `--check` only says whether they are right.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'

const root = new URL('../', import.meta.url)
const head = '// Written by scripts/write-catalogue.mjs from the files that are there.\n'

/** These need more than keys: where the signature is, and where the ids are. */
const generic = new Set(['hmac', 'token'])

const lists = [
  {
    file: 'src/cli/provider-modules.ts',
    text: () => {
      const names = providerNames()
      const lines = names.map(
        (name) => `  ${keyOf(name)}: async () => (await import('../providers/${name}.ts')).${functionOf(name)},`,
      )
      return `${head}
import type { Provider } from '../index.ts'

/** Every provider of the catalogue by its name, loaded when it is asked for: one command rarely needs them all. */
export const providerModules: Readonly<Record<string, () => Promise<(options: never) => Provider>>> = {
${lines.join('\n')}
}
`
    },
  },
  {
    file: 'src/testing/samples/sample-modules.ts',
    text: () => {
      const names = sampleNames()
      const lines = names.map((name) => `  ${keyOf(name)}: () => import('./${name}.ts'),`)
      return `${head}
import type { SampleModule } from './sample.ts'

/** The samples of every provider by its name, loaded when they are asked for. */
export const sampleModules: Readonly<Record<string, () => Promise<SampleModule>>> = {
${lines.join('\n')}
}
`
    },
  },
]

/** For the test kit, which has them all at hand: nobody wants to wait for a delivery in a test. */
const kit = [
  {
    file: 'src/testing/catalogue/provider-list.ts',
    text: async () => {
      const names = providerNames()
      const imports = names.map((name) => `import { ${functionOf(name)} } from '../../providers/${name}.ts'`)
      const lines = names.map((name) => `  ${functionOf(name)},`)
      return `${head}
${imports.join('\n')}
import type { ProviderFunction, ProviderName } from './provider-name.ts'

/** Every provider of the catalogue, by the name of its function. */
export const providerList: Readonly<Record<ProviderName, ProviderFunction>> = {
${lines.join('\n')}
}
`
    },
  },
  {
    file: 'src/testing/catalogue/sample-list.ts',
    text: async () => {
      const names = providerNames()
      const imports = [...names, 'sample']
        .toSorted((one, other) => (one < other ? -1 : 1))
        .map((name) => {
          const what = name === 'sample' ? 'type { SampleModule }' : `* as ${functionOf(name)}`
          return `import ${what} from '../samples/${name}.ts'`
        })
      const lines = names.map((name) => `  ${functionOf(name)},`)
      return `${head}
${imports.join('\n')}
import type { ProviderName } from './provider-name.ts'

/** The samples of every provider, by the name of its function. */
export const sampleList: Readonly<Record<ProviderName, SampleModule>> = {
${lines.join('\n')}
}
`
    },
  },
  {
    file: 'src/testing/catalogue/sample-types.ts',
    text: async () => {
      const lines = await Promise.all(
        providerNames().map(async (name) => {
          const { samples } = await import(new URL(`src/testing/samples/${name}.ts`, root).href)
          const types = Object.keys(samples).map((type) => `'${type}'`)
          return `  readonly ${functionOf(name)}: ${types.join(' | ')}`
        }),
      )
      return `${head}
/** The types of events that there are samples of. */
// biome-ignore format: one line for each provider
export type SampleTypes = {
${lines.join('\n')}
}
`
    },
  },
]

const isCheck = process.argv.includes('--check')
const written = await Promise.all([...lists, ...kit].map(async ({ file, text }) => ({ file, text: await text() })))
const stale = written.filter(({ file, text }) => read(file) !== text)
if (!isCheck) for (const { file, text } of stale) writeFileSync(new URL(file, root), text)
if (stale.length > 0)
  console.log(`${isCheck ? 'Not up to date' : 'Written'}: ${stale.map(({ file }) => file).join(', ')}`)
process.exit(isCheck && stale.length > 0 ? 1 : 0)

function namesIn(folder) {
  return readdirSync(new URL(folder, root))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => file.replace(/\.ts$/, ''))
    .toSorted()
}

function providerNames() {
  return namesIn('src/providers/').filter((name) => !generic.has(name))
}

function sampleNames() {
  return namesIn('src/testing/samples/').filter((name) => !['index', 'sample', 'sample-modules'].includes(name))
}

function keyOf(name) {
  return /^[a-z][a-z0-9]*$/.test(name) ? name : `'${name}'`
}

/** `checkout-com` is imported as `checkoutCom`. */
function functionOf(name) {
  return name.replaceAll(/-(.)/g, (_, letter) => letter.toUpperCase())
}

function read(file) {
  try {
    return readFileSync(new URL(file, root), 'utf8')
  } catch {
    return ''
  }
}
