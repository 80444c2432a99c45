// Builds the documentation site, or serves it while it is written. Its tools are installed in site and nowhere else.
//
//   node scripts/site.mjs build          site/.vitepress/dist
//   node scripts/site.mjs dev            a server that follows changes
//
// What stands behind the word is handed on, for example `--keep-api`.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const [word = 'build', ...rest] = process.argv.slice(2)
const installed = join(root, 'site/node_modules/.package-lock.json')
const isFresh =
  existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'site/package-lock.json')).mtimeMs

if (!isFresh) run('npm', ['ci', '--prefix', 'site', '--ignore-scripts', '--no-audit', '--no-fund'])
run(process.execPath, ['--import', 'tsx', 'site/build.mjs', ...(word === 'dev' ? ['--dev'] : []), ...rest])

function run(command, given) {
  const { status } = spawnSync(command, given, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
