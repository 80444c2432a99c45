import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { RequestFile } from './request-file.ts'

/** What the load generator saw. */
export type LoadReport = {
  readonly requests: number
  readonly perSecond: number
  readonly p50Milliseconds: number
  readonly p99Milliseconds: number
  /** Requests that were begun, answered or not. */
  readonly sent: number
}

export type Load = {
  readonly wrk: string
  readonly port: number
  readonly file: RequestFile
  readonly connections: number
  readonly seconds: number
  /** Requests of the file to pass over, because they were sent before. */
  readonly skip: number
  /** Whether the file may be sent more than once: where nothing is stored, or everything is a duplicate. */
  readonly mayRepeat: boolean
  /** How long a connection pauses before each request, give or take half of it. Default 0. */
  readonly pauseMilliseconds?: number
}

const script = fileURLToPath(new URL('requests.lua', import.meta.url))

/** Runs wrk with one thread. Any answer that is not 2xx, broken connection or timeout is an error: such figures mean nothing. */
export async function runLoad(load: Load): Promise<LoadReport> {
  const { wrk, port, file, connections, seconds, skip, mayRepeat, pauseMilliseconds = 0 } = load
  const { stdout } = await promisify(execFile)(
    wrk,
    ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout=20s', '--latency', '-s', script].concat([
      `http://127.0.0.1:${port}/in/stripe`,
      '--',
      file.path,
      String(file.recordBytes),
      String(mayRepeat ? skip % file.count : skip),
      String(pauseMilliseconds),
    ]),
    { timeout: (seconds + 60) * 1000 },
  )
  const result = readResult(stdout)
  const { requests, microseconds, sent, rewinds, refused, broken, timeouts } = result
  if (requests === 0) throw new Error(`Not one request was answered:\n${stdout}`)
  if (refused + broken + timeouts > 0) {
    throw new Error(
      `${refused} answers were not 2xx, ${broken} connections broke, ${timeouts} requests took over 20 s.`,
    )
  }
  if (rewinds > 0 && !mayRepeat) throw new Error(`The ${file.count} requests of the file did not last ${seconds} s.`)
  return {
    requests,
    sent,
    perSecond: requests / (microseconds / 1e6),
    p50Milliseconds: result.p50 / 1000,
    p99Milliseconds: result.p99 / 1000,
  }
}

type Result = Readonly<
  Record<
    'requests' | 'microseconds' | 'sent' | 'rewinds' | 'p50' | 'p99' | 'mean' | 'refused' | 'broken' | 'timeouts',
    number
  >
>

function readResult(output: string): Result {
  const [, json] = /^RESULT (.*)$/m.exec(output) ?? []
  if (json === undefined) throw new Error(`wrk said nothing about its result:\n${output}`)
  return JSON.parse(json) as Result
}
