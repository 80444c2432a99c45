import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { debianProgram } from '../test/support/debian-package.ts'
import { type PostgresServer, startPostgresServer } from '../test/support/postgres-server.ts'
import { buildOncehook } from './build.ts'
import { installPeers, nodeForWorkers } from './peers.ts'
import { type RedisDisk, type RedisServer, startRedis } from './redis.ts'
import { type RequestFile, withDuplicates, writeRequestFile } from './request-file.ts'
import { secret } from './stripe-events.ts'

/** Everything that contenders need, and that no contender may change. */
export type Stage = {
  readonly postgres: PostgresServer
  readonly wrk: string
  /** For files that are written for a run. */
  readonly folder: string
  /** For servers: the Node that runs the benchmark. For workers: one that is new enough for all of them. */
  readonly nodes: { readonly server: string; readonly worker: string }
  /** What every contender finds in its environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Signed requests, of which this share repeats earlier ones. Made anew before their signatures get too old. */
  readonly requests: (plan: RequestsPlan) => RequestFile
  readonly redis: (disk: RedisDisk) => Promise<RedisServer>
  readonly close: () => Promise<void>
}

export type RequestsPlan = {
  readonly count: number
  readonly duplicateShare: number
  /** For servers that remember events themselves: events that no server has seen. */
  readonly isUnseen?: boolean
}

/** Beside what is needed for durability, only sizes: the defaults are made for the smallest machines. */
const postgresSettings: Readonly<Record<string, string>> = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '1GB',
  max_wal_size: '8GB',
  // A server that has run for a while writes its log over files that it has. A new one would fill each with zeros first, a fifth of its time.
  min_wal_size: '8GB',
  checkpoint_timeout: '30min',
}

/** Serial numbers of events that are sent begin far above those in ledgers. */
const firstSerial = 300_000_000
const freshSeconds = 120

export async function prepareStage(build: string | undefined, say: (what: string) => void): Promise<Stage> {
  say('installing wrk and the peers')
  const wrk = await debianProgram('wrk')
  if (wrk === undefined) throw new Error('The benchmark needs wrk.')
  await installPeers()
  say('building Oncehook')
  const oncehook = build === undefined ? await buildOncehook() : resolve(build)
  say('starting PostgreSQL')
  const postgres = await startPostgresServer({ settings: postgresSettings })
  const folder = await mkdtemp(join(tmpdir(), 'oncehook-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const redisServers = new Map<string, Promise<RedisServer>>()
  let nextSerial = firstSerial
  const requestFiles = new Map<string, { readonly file: RequestFile; readonly writtenAt: number }>()

  return {
    postgres,
    wrk,
    folder,
    nodes: { server: process.execPath, worker: nodeForWorkers() },
    environment: { ONCEHOOK_BUILD: oncehook, STRIPE_WEBHOOK_SECRET: secret },
    requests({ count, duplicateShare, isUnseen = false }) {
      const key = `${count}-${duplicateShare}-${isUnseen ? 'unseen' : 'any'}`
      const known = isUnseen ? undefined : requestFiles.get(key)
      if (known !== undefined && performance.now() - known.writtenAt < freshSeconds * 1000) return known.file
      const path = join(folder, `requests-${key}.bin`)
      const file = writeRequestFile({ path, count, serialAt: withDuplicates(nextSerial, duplicateShare) })
      nextSerial += count
      requestFiles.set(key, { file, writtenAt: performance.now() })
      return file
    },
    redis(disk) {
      const server = redisServers.get(disk) ?? startRedis(disk)
      redisServers.set(disk, server)
      return server
    },
    async close() {
      for (const server of redisServers.values()) await (await server).stop()
      await postgres.stop()
    },
  }
}
