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
      const names = namesIn('src/providers/').filter((name) => !generic.has(name))
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
      const names = namesIn('src/testing/samples/').filter(
        (name) => !['index', 'sample', 'sample-modules'].includes(name),
      )
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

const isCheck = process.argv.includes('--check')
const stale = lists.filter(({ file, text }) => read(file) !== text())
if (!isCheck) for (const { file, text } of stale) writeFileSync(new URL(file, root), text())
if (stale.length > 0)
  console.log(`${isCheck ? 'Not up to date' : 'Written'}: ${stale.map(({ file }) => file).join(', ')}`)
process.exit(isCheck && stale.length > 0 ? 1 : 0)

function namesIn(folder) {
  return readdirSync(new URL(folder, root))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => file.replace(/\.ts$/, ''))
    .toSorted()
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
