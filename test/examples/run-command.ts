import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

/** How a command ended. */
export type Ended = { readonly code: number | null; readonly output: string; readonly seconds: number }

type CommandOptions = {
  readonly folder: string
  readonly environment?: Readonly<Record<string, string>>
  readonly limitSeconds?: number
}

/** Runs a command to its end and answers with all it printed. Past its time it is killed with everything that it has started. */
export async function runCommand(words: readonly string[], options: CommandOptions): Promise<Ended> {
  const { folder, environment = {}, limitSeconds = 600 } = options
  const [program = '', ...rest] = words
  const startedAt = performance.now()
  const child = spawn(program, rest, {
    cwd: folder,
    env: { ...cleanEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const timer = setTimeout(() => {
    output += `\nIt did not end within ${limitSeconds} s.`
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }, limitSeconds * 1000)
  const code = await new Promise<number | null>((resolve) =>
    child.once('close', resolve).once('error', () => resolve(null)),
  )
  clearTimeout(timer)
  return { code, output: stripVTControlCharacters(output), seconds: (performance.now() - startedAt) / 1000 }
}

/** Settings that npm and the test runner hand down would steer what is run here. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(npm_|VITEST|NODE_ENV$|NODE_OPTIONS$|NODE_TEST_CONTEXT$|DATABASE_URL$|PORT$)/i
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1' }
}
