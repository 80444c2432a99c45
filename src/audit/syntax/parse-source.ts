import type { Comment, Node } from './ast.ts'
import type { Parse, ParserOptions } from './babel-parser.ts'

/** A file that could be read, with its comments. */
export type ParsedSource = {
  readonly kind: 'parsed'
  readonly body: readonly Node[]
  readonly comments: readonly Comment[]
}

/** A file that nobody can make sense of. */
export type UnreadSource = { readonly kind: 'unread'; readonly reason: string }

const common = ['decorators-legacy', 'explicitResourceManagement', 'importAttributes', 'deferredImportEvaluation']

/** JavaScript or TypeScript, as the name of the file says. */
export function parseSource(parse: Parse, path: string, text: string): ParsedSource | UnreadSource {
  const failures: unknown[] = []
  for (const plugins of pluginsFor(path)) {
    try {
      const { program, comments } = parse(text, optionsWith(plugins))
      return { kind: 'parsed', body: program.body, comments: (comments ?? []).map(asComment) }
    } catch (error) {
      failures.push(error)
    }
  }
  const [first] = failures
  return { kind: 'unread', reason: first instanceof Error ? first.message : 'It is not JavaScript.' }
}

/** In turn, until one fits. `<T>x` is a type in .ts and an element in .tsx; JavaScript is often Flow. */
function pluginsFor(path: string): readonly (readonly string[])[] {
  if (/\.[cm]?ts$/.test(path)) return [['typescript']]
  if (path.endsWith('.tsx')) return [['typescript', 'jsx']]
  return [['jsx'], ['jsx', 'flow'], ['jsx', 'typescript']]
}

function optionsWith(plugins: readonly string[]): ParserOptions {
  return {
    sourceType: 'unambiguous',
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowImportExportEverywhere: true,
    allowUndeclaredExports: true,
    // A name that is declared twice does not keep us from reading.
    errorRecovery: true,
    plugins: [...common, ...plugins],
  }
}

function asComment({ value, loc }: { readonly value: string; readonly loc?: Place | null }): Comment {
  return { text: value, line: loc?.start.line ?? 0, endLine: loc?.end.line ?? 0 }
}

type Place = { readonly start: { readonly line: number }; readonly end: { readonly line: number } }
