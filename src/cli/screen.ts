/** What is drawn anew: over what stood there on a terminal, one after the other anywhere else. */
export type Screen = {
  readonly draw: (text: string) => void
  /** Leaves the last drawing where it is, and the terminal as it was found. */
  readonly close: () => void
}

/** The part of a stream that is needed here. */
export type Output = {
  readonly isTTY?: boolean
  readonly rows?: number | undefined
  readonly write: (text: string) => unknown
}

const hideCursor = '\u001b[?25l'
const showCursor = '\u001b[?25h'
const clearAll = '\u001b[2J\u001b[H'
const toTheTop = '\u001b[H'
const clearRestOfLine = '\u001b[K'
const clearBelow = '\u001b[J'

export function openScreen(output: Output): Screen {
  if (output.isTTY !== true) return { draw: (text) => void output.write(`${text}\n`), close: () => {} }
  output.write(hideCursor + clearAll)
  return {
    draw(text) {
      // What does not fit would scroll the screen, and the next drawing would not hit it. Lines are overwritten, so nothing flickers.
      const lines = text.split('\n').slice(0, Math.max(1, (output.rows ?? 24) - 1))
      output.write(`${toTheTop}${lines.map((line) => `${line}${clearRestOfLine}\n`).join('')}${clearBelow}`)
    },
    close: () => void output.write(showCursor),
  }
}
