/** The rules of one .gitignore. */
export type Ignore = {
  /** The folder in which the file lies; paths are relative to it. */
  readonly folder: string
  readonly matches: (path: string, isFolder: boolean) => boolean
}

type Line = { readonly pattern: RegExp; readonly isForFolders: boolean; readonly isNegated: boolean }

/** Reads the patterns that people use: names, stars, anchors, folders and exceptions. */
export function createIgnore(folder: string, text: string): Ignore {
  const lines = text.split(/\r?\n/).flatMap(readLine)
  return {
    folder,
    matches: (path, isFolder) =>
      lines.reduce(
        (isIgnored, { pattern, isForFolders, isNegated }) =>
          (isForFolders && !isFolder) || !pattern.test(path) ? isIgnored : !isNegated,
        false,
      ),
  }
}

function readLine(line: string): readonly Line[] {
  const text = line.trim()
  if (text === '' || text.startsWith('#')) return []
  const isNegated = text.startsWith('!')
  const isForFolders = text.endsWith('/')
  const glob = text.replace(/^!/, '').replace(/\/$/, '')
  const isAnchored = glob.includes('/')
  const body = glob
    .replace(/^\//, '')
    .replaceAll(/[.+^${}()|\\]/g, String.raw`\$&`)
    .replaceAll(/\*\*\/|\*\*|\*|\?/g, (star) =>
      star === '**/' ? '(?:.*/)?' : star === '**' ? '.*' : star === '*' ? '[^/]*' : '[^/]',
    )
  return [{ pattern: new RegExp(`${isAnchored ? '^' : '(?:^|/)'}${body}$`), isForFolders, isNegated }]
}
