import { readFileSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readPathAliases } from './files/path-aliases.ts'
import type { Comment, Node } from './syntax/ast.ts'
import type { Parse } from './syntax/babel-parser.ts'
import { parseSource } from './syntax/parse-source.ts'

/** A file that was left out, and why. */
export type SkippedFile = { readonly file: string; readonly reason: string }

/** The files of a project, read and parsed when they are needed. Paths are absolute. */
export type Project = {
  readonly files: readonly string[]
  readonly text: (file: string) => string
  readonly parsed: (file: string) => readonly Node[]
  readonly comments: (file: string) => readonly Comment[]
  /** The file of the project that an import names. */
  readonly resolve: (from: string, specifier: string) => string | undefined
  readonly skipped: () => readonly SkippedFile[]
}

const largestBytes = 1_000_000
const endings = [
  '',
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.js',
  '.mjs',
  '.cjs',
  '.jsx',
  '/index.ts',
  '/index.tsx',
  '/index.js',
  '/index.mjs',
]

type Read = { readonly text: string; readonly body: readonly Node[]; readonly comments: readonly Comment[] }

export function createProject(root: string, files: readonly string[], parse: Parse): Project {
  const known = new Set(files)
  const texts = new Map<string, string>()
  const trees = new Map<string, Read>()
  const skipped = new Map<string, string>()
  const aliases = readPathAliases(root)

  const text = (file: string): string => {
    const before = texts.get(file)
    if (before !== undefined) return before
    const found = readText(file, (reason) => skipped.set(file, reason))
    texts.set(file, found)
    return found
  }

  const tree = (file: string): Read => {
    const before = trees.get(file)
    if (before !== undefined) return before
    const source = parseSource(parse, file, text(file))
    if (source.kind === 'unread') skipped.set(file, `It cannot be parsed: ${source.reason}`)
    const read: Read =
      source.kind === 'unread'
        ? { text: text(file), body: [], comments: [] }
        : { text: text(file), body: source.body, comments: source.comments }
    trees.set(file, read)
    return read
  }

  const find = (path: string): string | undefined => {
    // TypeScript imports the name that the compiled file will have.
    const written = path.replace(/\.([cm]?)jsx?$/, '.$1ts')
    return [path, written, `${written}x`]
      .flatMap((each) => endings.map((ending) => each + ending))
      .find((each) => known.has(each))
  }

  return {
    files,
    text,
    parsed: (file) => tree(file).body,
    comments: (file) => tree(file).comments,
    resolve(from, specifier) {
      if (specifier.startsWith('.')) return find(resolve(dirname(from), specifier))
      return aliases(specifier)
        .map(find)
        .find((file) => file !== undefined)
    },
    skipped: () => [...skipped].map(([file, reason]) => ({ file, reason })),
  }
}

function readText(file: string, skip: (reason: string) => void): string {
  try {
    const { size } = statSync(file)
    if (size > largestBytes) {
      skip(`It has ${size.toLocaleString('en')} bytes; more than ${largestBytes.toLocaleString('en')} are not read.`)
      return ''
    }
    return readFileSync(file, 'utf8')
  } catch (error) {
    skip(error instanceof Error ? error.message : String(error))
    return ''
  }
}
