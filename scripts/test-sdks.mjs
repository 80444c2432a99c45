// Compares our verdicts with those of the providers' own libraries, which are installed in test/sdk and nowhere else.
// `--seed` makes other requests, `--requests` more or fewer, `--only stripe,github` chooses, `--write` writes docs/checked-against.md.
import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

run('npm', ['ci', '--prefix', 'test/sdk', '--ignore-scripts', '--no-audit', '--no-fund'])
run(process.execPath, ['--import', 'tsx', 'test/sdk/compare-child.ts', ...process.argv.slice(2)])

function run(command, parameters) {
  const { status } = spawnSync(command, parameters, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
