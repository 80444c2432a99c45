import type { Readable, Writable } from 'node:stream'
import { errorCodes, errorReply, type Reply, readMessage } from './messages.ts'
import { createSession, type McpServer } from './session.ts'

const mostLineBytes = 4 << 20

/** One client over standard input and output, a message per line. Resolves when the input has ended and everything is answered. */
export async function serveStdio(
  server: McpServer,
  { input, output }: { readonly input: Readable; readonly output: Writable },
): Promise<void> {
  const session = createSession(server)
  const running = new Set<Promise<void>>()
  const send = (reply: Reply | undefined): void => {
    if (reply !== undefined) output.write(`${JSON.stringify(reply)}\n`)
  }
  const take = (line: string): void => {
    if (line.trim() === '') return
    const handled = session.handle(readMessage(line)).then(send)
    running.add(handled)
    void handled.finally(() => running.delete(handled))
  }

  for await (const line of linesOf(input)) {
    if (line === undefined) {
      send(
        errorReply(null, { code: errorCodes.invalidMessage, message: `A line has more than ${mostLineBytes} bytes.` }),
      )
    } else take(line)
  }
  await Promise.all(running)
  session.end()
}

/** The lines of a stream; undefined in the place of one that is too long, of which nothing is kept. */
async function* linesOf(input: Readable): AsyncGenerator<string | undefined> {
  let parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of input as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      bytes += end - start
      parts.push(chunk.subarray(start, end))
      yield bytes > mostLineBytes ? undefined : Buffer.concat(parts).toString('utf8')
      parts = []
      bytes = 0
      start = end + 1
    }
    bytes += chunk.length - start
    if (bytes > mostLineBytes) parts = []
    else parts.push(chunk.subarray(start))
  }
  if (bytes > 0 && bytes <= mostLineBytes) yield Buffer.concat(parts).toString('utf8')
}
