import { Redis } from 'ioredis'
import { debianProgram } from '../test/support/debian-package.ts'
import { startServerProcess } from '../test/support/server-process.ts'

export type RedisServer = {
  readonly port: number
  /** In microseconds. */
  readonly processorTime: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** How often it writes its append-only file to disk: every second, with every command, or never, as it has none. */
export type RedisDisk = 'everysec' | 'always' | 'never'

export async function startRedis(disk: RedisDisk): Promise<RedisServer> {
  const program = await debianProgram('redis-server')
  if (program === undefined) throw new Error('The benchmark needs redis-server.')
  const server = await startServerProcess({
    program,
    parameters: ({ port, folder }) =>
      ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', ''].concat(
        disk === 'never' ? ['--appendonly', 'no'] : ['--appendonly', 'yes', '--appendfsync', disk],
      ),
    readyText: 'Ready to accept connections',
  })
  const client = new Redis(server.port, '127.0.0.1')
  return {
    port: server.port,
    async processorTime() {
      const report = await client.info('cpu')
      const seconds = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(report)?.[1])
      return (seconds('used_cpu_sys') + seconds('used_cpu_user')) * 1e6
    },
    async stop() {
      client.disconnect()
      await server.stop()
    },
  }
}
