import { widthOf } from './table.ts'

/** The text in lines of at most a width, each behind an indent. A word that is longer has a line to itself. */
export function wrapped(text: string, { width, indent }: { readonly width: number; readonly indent: string }): string {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= width - indent.length) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines.map((line) => indent + line).join('\n')
}
