import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The pages of `docs/` and their pictures, as paths in the repository. */
export function pagesOfDocs(root: string): readonly string[] {
  return readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((path) => /\.(?:md|svg)$/.test(path))
    .toSorted()
}
