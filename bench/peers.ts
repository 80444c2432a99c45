import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const folder = fileURLToPath(new URL('peers', import.meta.url))

/** Installs what Oncehook is compared with, at the versions of the lock file, unless that was done before. */
export async function installPeers(): Promise<void> {
  const lockFile = await readFile(join(folder, 'package-lock.json'))
  const wanted = createHash('sha256').update(lockFile).digest('hex')
  const stampFile = join(folder, 'node_modules', '.installed')
  if ((await readFile(stampFile, 'utf8').catch(() => '')) === wanted) return
  const parameters = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await promisify(execFile)('npm', parameters, { cwd: folder, timeout: 600_000 })
  await writeFile(stampFile, wanted)
}

/** The versions that are compared with. */
export async function peerVersions(): Promise<Readonly<Record<string, string>>> {
  const file = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>
  }
  return file.dependencies
}

/** Some peers need Node 22.18. All workers run on the same Node: this one if it is new enough, else one that came with the peers. */
export function nodeForWorkers(): string {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath
  return join(folder, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node')
}
