import { debianProgram } from './debian-package.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** Starts a real Redis that keeps its data over a kill; undefined where there is none to start. */
export async function redisStarter(): Promise<(() => Promise<ServerProcess>) | undefined> {
  const program = await debianProgram('redis-server')
  if (program === undefined) return undefined
  return () =>
    startServerProcess({
      program,
      parameters: ({ port, folder }) =>
        ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', ''].concat([
          '--appendonly',
          'yes',
          '--appendfsync',
          'always',
        ]),
      readyText: 'Ready to accept connections',
    })
}
