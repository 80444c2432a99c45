import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { createIgnore, type Ignore } from './gitignore.ts'

/** The files of a project: those that are code, and all others that may hold SQL. */
export type FoundFiles = { readonly code: readonly string[]; readonly other: readonly string[] }

const never = new Set([
  'node_modules',
  'dist',
  'build',
  'out',
  'coverage',
  'vendor',
  'generated',
  '__generated__',
  '__mocks__',
  '__tests__',
  '__fixtures__',
])
const isCode = /\.[cm]?[jt]sx?$/
/** Tests send events twice on purpose; what is minified or generated was written by nobody. */
const isLeftOut = /\.(?:test|spec|stories|bench)\.[cm]?[jt]sx?$|\.d\.[cm]?ts$|\.min\.[cm]?js$/
const isOther = /\.(?:sql|prisma|graphql|ya?ml|toml|json)$/

/** Walks through a folder, without what is installed, built, hidden or ignored by git. */
export function findFiles(root: string): FoundFiles {
  const code: string[] = []
  const other: string[] = []
  const walk = (folder: string, ignores: readonly Ignore[]): void => {
    const own = readIgnore(folder)
    const all = own === undefined ? ignores : [...ignores, own]
    for (const entry of listed(folder)) {
      const path = join(folder, entry.name)
      if (all.some((ignore) => ignore.matches(slashed(relative(ignore.folder, path)), entry.isDirectory()))) continue
      if (entry.isDirectory()) {
        if (!never.has(entry.name) && !entry.name.startsWith('.')) walk(path, all)
      } else if (isCode.test(entry.name)) {
        if (!isLeftOut.test(entry.name)) code.push(path)
      } else if (isOther.test(entry.name) && !/^(?:package|tsconfig|.*-lock).*\.json$/.test(entry.name))
        other.push(path)
    }
  }
  walk(root, [])
  return { code: code.toSorted(), other: other.toSorted() }
}

function listed(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    // A folder that may not be read has nothing to say.
    return []
  }
}

function readIgnore(folder: string): Ignore | undefined {
  const file = join(folder, '.gitignore')
  return existsSync(file) ? createIgnore(folder, readFileSync(file, 'utf8')) : undefined
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}
