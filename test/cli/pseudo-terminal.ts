import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { debianProgram } from '../support/debian-package.ts'
import { until } from '../support/until.ts'

/** A program on a terminal of its own. */
export type PseudoTerminal = {
  readonly press: (keys: string) => void
  readonly resize: (lines: number, columns: number) => void
  /** What is on the screen, once it matches. */
  readonly until: (pattern: RegExp) => Promise<string>
  /** Every byte that the program has written. */
  readonly written: () => string
  readonly ended: Promise<number | null>
  readonly kill: () => void
}

export type PseudoTerminalOptions = {
  readonly program: readonly string[]
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
  readonly lines: number
  readonly columns: number
}

/** Starts it, with Python's pseudo terminal between. */
export async function openPseudoTerminal(options: PseudoTerminalOptions): Promise<PseudoTerminal> {
  const python = (await debianProgram('python3')) ?? 'python3'
  const helper = join(import.meta.dirname, 'pseudo-terminal.py')
  const child = spawn(python, [helper, String(options.lines), String(options.columns), ...options.program], {
    cwd: options.directory,
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', TZ: 'UTC', ...options.environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let written = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const order = (document: object): void => void child.stdin.write(`${JSON.stringify(document)}\n`)
  return {
    press: (keys) => order({ keys }),
    resize: (lines, columns) => order({ size: [lines, columns] }),
    async until(pattern) {
      const isThere = (screen: string): boolean => pattern.test(screen)
      const gone = ended.then(() => Promise.reject(new Error(`It ended before it showed ${pattern}:\n${written}`)))
      return Promise.race([until(() => screenOf(written), isThere, 20), gone])
    },
    written: () => written,
    ended,
    kill: () => void child.stdin.end(),
  }
}

const escape = '\u001b'
const placedLine = new RegExp(`${escape}\\[(\\d+);1H([^]*?)${escape}\\[K`, 'g')

/** The lines as they stand after all that was drawn: each is put in its place and overwritten whole. */
function screenOf(written: string): string {
  const lines: string[] = []
  for (const [, line = '', text = ''] of written.matchAll(placedLine)) {
    lines[Number(line) - 1] = stripVTControlCharacters(text)
  }
  return lines.join('\n')
}
