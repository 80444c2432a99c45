const escape = '\u001b'
/** A colour, which takes no room, or a character. Whatever a sender chose was spelt out before. */
const parts = new RegExp(`${escape}\\[[0-9;]*m|[^]`, 'gu')

/** A line as several that fit. Colours go on over the break. */
export function wrapLine(line: string, columns: number): readonly string[] {
  const lines: string[] = []
  let current = ''
  let width = 0
  for (const [part] of line.matchAll(parts)) {
    if (part.length > 2) {
      current += part
      continue
    }
    if (width === columns) {
      lines.push(current)
      current = ''
      width = 0
    }
    current += part
    width += 1
  }
  return [...lines, current]
}

/** As much of a line as fits. */
export function cutLine(line: string, columns: number): string {
  return wrapLine(line, Math.max(1, columns))[0] ?? ''
}
