import { debianProgram } from './debian-package.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** Starts a real Redis that keeps its data over a kill, with these settings besides; undefined where there is none to start. */
export async function redisStarter(): Promise<((settings?: readonly string[]) => Promise<ServerProcess>) | undefined> {
  const program = await debianProgram('redis-server')
  if (program === undefined) return undefined
  return (settings = []) =>
    startServerProcess({
      program,
      parameters: ({ port, folder }) =>
        ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', ''].concat([
          '--appendonly',
          'yes',
          '--appendfsync',
          'always',
          '--enable-debug-command',
          'local',
          ...settings,
        ]),
      readyText: 'Ready to accept connections',
    })
}
