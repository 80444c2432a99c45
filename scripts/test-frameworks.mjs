// Sends the same requests through the frameworks that are installed in test/adapters/frameworks and nowhere else.
// `-t Next` runs only what has that in its name.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'test/adapters/frameworks')
const apps = join(folder, 'apps')

run(root, 'npm', ['run', '--silent', 'build'])
run(root, 'npm', ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'])
installOncehook()
run(join(apps, 'next'), process.execPath, [join(folder, 'node_modules/next/dist/bin/next'), 'build'])
run(join(apps, 'sveltekit'), process.execPath, [join(folder, 'node_modules/vite/bin/vite.js'), 'build'])
run(join(apps, 'nitro'), process.execPath, [join(folder, 'node_modules/nitropack/dist/cli/index.mjs'), 'build'])
run(join(apps, 'nitro-3'), process.execPath, [join(folder, 'node_modules/nitro/dist/cli/index.mjs'), 'build'])
run(join(apps, 'nuxt'), process.execPath, [join(folder, 'node_modules/nuxt/bin/nuxt.mjs'), 'build'])
const config = 'test/adapters/frameworks/vitest.config.ts'
run(root, process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--config', config, ...process.argv.slice(2)])

/** As a copy: bundlers do not follow links out of their folder. */
function installOncehook() {
  const installed = join(folder, 'node_modules/oncehook')
  rmSync(installed, { recursive: true, force: true })
  mkdirSync(installed)
  for (const name of ['package.json', 'dist']) cpSync(join(root, name), join(installed, name), { recursive: true })
}

function run(cwd, command, given) {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1' }
  const { status } = spawnSync(command, given, { cwd, env, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
