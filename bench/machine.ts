import { execFileSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { asAdministrator } from './databases.ts'
import { peerVersions } from './peers.ts'
import type { Stage } from './stage.ts'

/** On what the figures were measured. */
export type Machine = {
  readonly processor: string
  readonly cores: number
  readonly memoryGigabytes: number
  readonly system: string
  readonly node: string
  readonly workerNode: string
  readonly postgres: string
  readonly peers: Readonly<Record<string, string>>
}

export async function describeMachine({ postgres, nodes }: Stage): Promise<Machine> {
  const [row] = await asAdministrator(postgres, 'show server_version')
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `Linux ${release()}`,
    node: process.version,
    workerNode: execFileSync(nodes.worker, ['--version'], { encoding: 'utf8' }).trim(),
    postgres: String(row?.['server_version']),
    peers: await peerVersions(),
  }
}

/** A machine that does other work as well gives figures that mean little. */
export function isBusy(): boolean {
  return (loadavg()[0] ?? 0) > 0.5
}
