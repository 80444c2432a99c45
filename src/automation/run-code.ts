import { Worker } from 'node:worker_threads'
import { createSlots } from '../effects/slots.ts'
import { codeThread } from './code-thread.ts'

export type CodeRequest = {
  /** JavaScript, as `stripTypes` made it. */
  readonly code: string
  /** What it is called with. */
  readonly input: unknown
  readonly timeoutMilliseconds: number
  readonly memoryMegabytes: number
}

export type CodeResult =
  | { readonly kind: 'returned'; readonly value: unknown }
  | { readonly kind: 'threw' | 'timed_out' | 'out_of_memory' | 'never_returned' | 'too_large'; readonly error: string }

export type RunCode = (request: CodeRequest, signal: AbortSignal) => Promise<CodeResult>

const mostResultBytes = 65_536

/** Code runs in so many threads of this process at once; others wait for one of them. */
export function createRunCode(threads: number): RunCode {
  const slots = createSlots(threads)
  return async (request, signal) => {
    const leave = await slots.take({ signal })
    if (leave === undefined) return { kind: 'never_returned', error: 'The process is stopping.' }
    try {
      return await runInThread(request, signal)
    } finally {
      leave()
    }
  }
}

/** The body of a function in TypeScript as a whole function. */
export function functionOf(body: string): string {
  return `async function run({ body, headers, event, request, variables }) {\n${body}\n}`
}

/** The compiled function, with what its compiler put around it, as one expression. */
export function evaluated(script: string): string {
  return `(() => {\n${script}\nreturn run\n})()`
}

async function runInThread(request: CodeRequest, signal: AbortSignal): Promise<CodeResult> {
  const { code, input, timeoutMilliseconds, memoryMegabytes } = request
  const worker = new Worker(codeThread, {
    eval: true,
    workerData: { code: evaluated(code), input: JSON.stringify(input) },
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes, maxYoungGenerationSizeMb: 8, stackSizeMb: 2 },
    // Nothing of this process: not its variables, its arguments, nor its terminal.
    env: {},
    argv: [],
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  let stop = (): void => {}
  try {
    return await new Promise<CodeResult>((resolve) => {
      let timer: NodeJS.Timeout | undefined
      // To start a thread on a busy machine is not the code's time.
      worker.once('online', () => {
        timer = setTimeout(() => {
          resolve({ kind: 'timed_out', error: `The code did not return within ${timeoutMilliseconds} ms.` })
        }, timeoutMilliseconds)
      })
      const onAbort = (): void => resolve({ kind: 'never_returned', error: 'The process is stopping.' })
      signal.addEventListener('abort', onAbort, { once: true })
      stop = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
      worker.once('message', (message: ThreadMessage) => resolve(resultOf(message)))
      worker.once('error', (error: Error & { readonly code?: string }) => {
        const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        resolve(
          isMemory
            ? { kind: 'out_of_memory', error: `The code needed more than ${memoryMegabytes} MB.` }
            : { kind: 'threw', error: error.message },
        )
      })
      worker.once('exit', () =>
        resolve({ kind: 'never_returned', error: 'The code waited for something that never came.' }),
      )
    })
  } finally {
    stop()
    await worker.terminate()
  }
}

type ThreadMessage =
  | { readonly kind: 'returned'; readonly json: unknown }
  | { readonly kind: 'threw'; readonly error: string }

function resultOf(message: ThreadMessage): CodeResult {
  if (message.kind === 'threw') return { kind: 'threw', error: message.error }
  const { json } = message
  if (typeof json !== 'string') return { kind: 'threw', error: 'The code returned something that JSON cannot say.' }
  if (Buffer.byteLength(json) > mostResultBytes) {
    return { kind: 'too_large', error: `The code returned more than ${mostResultBytes} bytes as JSON.` }
  }
  return { kind: 'returned', value: JSON.parse(json) }
}
