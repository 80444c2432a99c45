import { createInterface } from 'node:readline/promises'
import { createPaint, type Paint } from './colour.ts'
import { type FullScreen, type FullScreenListener, openFullScreen } from './full-screen.ts'
import { printable } from './printable.ts'
import { openScreen, type Screen } from './screen.ts'

/** The person or program at the other end. */
export type Terminal = {
  /** A line on standard output: what was asked for. */
  readonly print: (line: string) => void
  /** Exact bytes on standard output. A person's terminal gets them with control characters spelt out: a sender chose them. */
  readonly write: (bytes: Uint8Array) => void
  /** A line on standard error: what is worth knowing besides. */
  readonly tell: (line: string) => void
  /** A place for what is drawn again and again. To be closed. */
  readonly openScreen: () => Screen
  /** The whole terminal with its keys. To be closed. Undefined where there is none. */
  readonly openFullScreen: ((listener: FullScreenListener) => FullScreen) | undefined
  /** How far something long has come, in a line that the next one replaces. Undefined removes it. Only a person is shown it. */
  readonly progress: (line: string | undefined) => void
  /** For what goes to standard output. */
  readonly paint: Paint
  /** Whether somebody is there to answer a question. */
  readonly isInteractive: boolean
  /** True for yes. */
  readonly confirm: (question: string) => Promise<boolean>
  /** What was answered, or the default if that was nothing. */
  readonly ask: (question: string, otherwise: string) => Promise<string>
}

function printableLines(bytes: Uint8Array): string {
  const lines = Buffer.from(bytes).toString('utf8').split(/\r?\n/)
  return `${lines.map(printable).join('\n')}\n`
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process
  return {
    print: (line) => void stdout.write(`${line}\n`),
    write: (bytes) => void stdout.write(stdout.isTTY ? printableLines(bytes) : bytes),
    tell: (line) => void stderr.write(`${line}\n`),
    openScreen: () => openScreen(stdout),
    openFullScreen:
      stdin.isTTY && stdout.isTTY && env['TERM'] !== 'dumb'
        ? (listener) => openFullScreen(stdin, stdout, listener)
        : undefined,
    progress: (line) => void (stderr.isTTY && stderr.write(`\r\u001b[K${line ?? ''}`)),
    paint: createPaint({ isTerminal: stdout.isTTY, environment: env }),
    isInteractive: stdin.isTTY && stderr.isTTY,
    confirm: async (question) => /^y(es)?$/i.test(await answerTo(`${question} [y/N] `)),
    ask: async (question, otherwise) => (await answerTo(`${question} [${otherwise}] `)) || otherwise,
  }
}

/** Questions go to standard error, so that standard output stays what was asked for. */
async function answerTo(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await reader.question(question)).trim()
  } finally {
    reader.close()
  }
}
