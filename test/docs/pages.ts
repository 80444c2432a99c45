import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { slugOf } from '../../site/site-page.ts'

/** A page of documentation; its path is relative to the repository. */
export type Page = { readonly path: string; readonly text: string }

export const root: string = fileURLToPath(new URL('../..', import.meta.url))

const pagesAtRoot = ['README.md', 'ARCHITECTURE.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md']

export function readPage(path: string): Page {
  return { path, text: readFileSync(join(root, path), 'utf8') }
}

export function readPages(): readonly Page[] {
  const folder = readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .toSorted()
    .map((name) => `docs/${name}`)
  return [...pagesAtRoot, ...folder].map(readPage)
}

/** The text with its code taken out, so that what only looks like a link in it is none. */
export function proseOf({ text }: Page): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')
}

/** The fragment that a heading can be linked to by, as GitHub makes it. */
export function anchorsOf({ text }: Page): readonly string[] {
  const withoutCode = text.replaceAll(/^```[\s\S]*?^```/gm, '')
  return [...withoutCode.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => slugOf(title))
}
