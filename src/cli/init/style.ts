/** How the files of a project are written. */
export type Style = {
  readonly isTypeScript: boolean
  readonly extension: 'ts' | 'js' | 'mjs'
  /** How a file beside another one is imported: `./inbox` becomes `./inbox.js` where Node needs that. */
  readonly from: (path: string) => string
  /** What only TypeScript has. */
  readonly typed: (text: string) => string
}

/** Bundlers and CommonJS find a file without its extension, Node's own modules do not. */
export type Modules = 'esm' | 'commonjs' | 'bundled'

export function styleOf(language: 'typescript' | 'javascript', modules: Modules): Style {
  const isTypeScript = language === 'typescript'
  // A module in a project whose files are CommonJS by default.
  const extension = isTypeScript ? 'ts' : modules === 'commonjs' ? 'mjs' : 'js'
  const ending =
    modules === 'bundled' || (isTypeScript && modules === 'commonjs') ? '' : isTypeScript ? '.js' : `.${extension}`
  return {
    isTypeScript,
    extension,
    from: (path) => `${path}${ending}`,
    typed: (text) => (isTypeScript ? text : ''),
  }
}

/** Lines of code; what is undefined or false was not needed. An empty text is an empty line. */
export function lines(...given: readonly (string | false | undefined)[]): string {
  return `${given.filter((line) => line !== undefined && line !== false).join('\n')}\n`
}
