import type { Output } from './screen.ts'

/** The whole terminal, with its keys. */
export type FullScreen = {
  readonly size: () => { readonly columns: number; readonly lines: number }
  /** Overwrites everything, line by line. */
  readonly draw: (lines: readonly string[]) => void
  /** Gives the terminal back as it was found. */
  readonly close: () => void
}

/** What happens at the terminal. */
export type FullScreenListener = {
  readonly onInput: (text: string) => void
  readonly onResize: () => void
}

/** The part of standard input that is needed here. */
export type KeyInput = {
  readonly setRawMode: (isRaw: boolean) => unknown
  readonly setEncoding: (encoding: 'utf8') => unknown
  readonly on: (event: 'data', listener: (text: string) => void) => unknown
  readonly off: (event: 'data', listener: (text: string) => void) => unknown
  readonly resume: () => unknown
  readonly pause: () => unknown
}

/** The part of standard output that is needed here. */
export type ScreenOutput = Output & {
  readonly columns?: number | undefined
  readonly on: (event: 'resize', listener: () => void) => unknown
  readonly off: (event: 'resize', listener: () => void) => unknown
}

// A screen of its own, so that what stood there before is there afterwards; no cursor; and lines that are too wide are cut, not wrapped.
const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[2J'
const leave = '\u001b[?7h\u001b[?25h\u001b[?1049l'
const plainColour = '\u001b[0m'
const restOfLine = '\u001b[K'
const below = '\u001b[J'

/** Takes the terminal over until it is closed. A process that ends without closing it gives it back all the same. */
export function openFullScreen(
  input: KeyInput,
  output: ScreenOutput,
  { onInput, onResize }: FullScreenListener,
): FullScreen {
  let isOpen = true
  output.write(enter)
  input.setRawMode(true)
  input.setEncoding('utf8')
  input.on('data', onInput)
  input.resume()
  output.on('resize', onResize)
  process.on('exit', close)
  return {
    size: () => ({ columns: output.columns ?? 80, lines: output.rows ?? 24 }),
    draw(lines) {
      if (!isOpen) return
      const placed = lines.map((line, index) => `\u001b[${index + 1};1H${line}${plainColour}${restOfLine}`)
      output.write(`${placed.join('')}${below}`)
    },
    close,
  }

  function close(): void {
    if (!isOpen) return
    isOpen = false
    process.off('exit', close)
    output.off('resize', onResize)
    input.off('data', onInput)
    input.setRawMode(false)
    input.pause()
    output.write(leave)
  }
}
