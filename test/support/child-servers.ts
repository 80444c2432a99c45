import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * If this process dies without a word, for example by SIGKILL, its end of the pipe closes, and the server ends with it.
 * In a process group of its own, so that whatever ends ours does not end this one too.
 */
export function endWithThisProcess(server: ChildProcess, folder: string): void {
  const script = 'cat > /dev/null; kill -9 "$1"; rm -rf "$2"'
  const watch = spawn('sh', ['-c', script, 'sh', String(server.pid), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.unref()
  server.once('exit', () => watch.kill('SIGKILL'))
}

/** A port that was free a moment ago. Another process may take it in between, so a start on it may have to be repeated. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port.')
  return address.port
}
