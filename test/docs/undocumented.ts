import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { root } from './pages.ts'

/** What can be imported and has no sentence above it, as `file: name`. The site's reference of the API is made of these sentences. */
export function undocumentedExports(): readonly string[] {
  return [...new Set(publicSources().flatMap((file) => namesOf(file).flatMap(([from, name]) => judge(from, name))))]
}

function publicSources(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string>>
  }
  return Object.values(exports)
    .filter((target) => target.endsWith('.js'))
    .map((target) => target.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))
    .flatMap((source) => (source.includes('*') ? filesLike(source) : [source]))
}

function filesLike(pattern: string): readonly string[] {
  const [folder = '', end = ''] = pattern.split('*')
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith(end) && !name.endsWith('.test.ts'))
    .map((name) => folder + name)
}

/** Each name that a file exports, with the file that is said to declare it. */
function namesOf(file: string): readonly (readonly [file: string, name: string])[] {
  const text = readFileSync(join(root, file), 'utf8')
  const passedOn = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(
    ([, names = '', from = '']) =>
      names
        .split(',')
        .map((name) =>
          name
            .replace(/^\s*(?:type )?/, '')
            .replace(/ as .*/, '')
            .trim(),
        )
        .filter((name) => name !== '')
        .map((name) => [join(dirname(file), from), name] as const),
  )
  const own = [...text.matchAll(declaration)].map(([, name = '']) => [file, name] as const)
  return [...passedOn, ...own]
}

const declaration = /^export (?:type|const|class|function|async function) (\w+)/gm

function judge(file: string, name: string): readonly string[] {
  if (!existsSync(join(root, file))) return []
  const text = readFileSync(join(root, file), 'utf8')
  const at = text.search(new RegExp(`^export (?:type|const|class|function|async function) ${name}\\b`, 'm'))
  // Passed on by that file too: then it is judged where it is declared.
  if (at === -1)
    return namesOf(file).flatMap(([from, other]) => (other === name && from !== file ? judge(from, name) : []))
  return text.slice(0, at).trimEnd().endsWith('*/') ? [] : [`${file}: ${name}`]
}
