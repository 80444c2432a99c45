import type { Comment } from './syntax/ast.ts'

/** A comment that silences what is found on its line, or on the one below. */
export type IgnoreComment = { readonly line: number; readonly lines: readonly number[]; readonly reason: string }

/** The comments of a file that begin with `oncehook-ignore`. */
export function ignoreComments(comments: readonly Comment[]): readonly IgnoreComment[] {
  return comments.flatMap(({ text, line, endLine }) => {
    const match = /^[\s*]*oncehook-ignore\b:?([\s\S]*)$/.exec(text)
    if (match === null) return []
    const reason = (match[1] ?? '').replace(/^[\s:–—-]+/, '').trim()
    return [{ line, lines: [line, endLine, endLine + 1], reason }]
  })
}
