import { debianProgram } from './debian-package.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** Starts a real NATS server with JetStream; undefined where there is none to start. */
export async function natsStarter(): Promise<(() => Promise<ServerProcess>) | undefined> {
  const program = await debianProgram('nats-server')
  if (program === undefined) return undefined
  return () =>
    startServerProcess({
      program,
      parameters: ({ port, folder }) => ['--addr', '127.0.0.1', '--port', port, '--jetstream', '--store_dir', folder],
      readyText: 'Server is ready',
    })
}
