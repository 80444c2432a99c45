import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/**
 * The path of a program. If it is missing, it is installed from Debian's package, which mostly has the same name, where that can be done
 * (as root, with apt-get). Otherwise undefined and a line on what to install; in CI an error, as a test that is skipped there is
 * a test that nobody runs.
 */
export async function debianProgram(name: string, packageName: string = name): Promise<string | undefined> {
  const found = findProgram(name)
  if (found !== undefined) return found
  await debianSoftware({ name, packages: [packageName], check: `command -v ${name}` })
  return findProgram(name)
}

/** The same for what is no single program: true if it is there, by a command that succeeds then. */
export async function debianSoftware({ name, packages, check }: Software): Promise<boolean> {
  if (await isThere(check)) return true
  const problem = canInstall() ? await install(packages, check) : 'it cannot be installed from here'
  if (await isThere(check)) return true
  const advice = `${name} is missing (${problem}): run "apt-get install ${packages.join(' ')}" or put it in the PATH.`
  if (isSet(process.env['CI'])) throw new Error(advice)
  console.warn(`Tests are skipped, as ${advice}`)
  return false
}

type Software = { readonly name: string; readonly packages: readonly string[]; readonly check: string }

async function isThere(check: string): Promise<boolean> {
  try {
    await promisify(execFile)('sh', ['-c', check], { env: environment() })
    return true
  } catch {
    return false
  }
}

function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/bin`, DEBIAN_FRONTEND: 'noninteractive' }
}

function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function canInstall(): boolean {
  return process.getuid?.() === 0 && ['apt-get', 'flock'].every((name) => findProgram(name) !== undefined)
}

/**
 * Under a lock, as test files run in several processes; who had to wait finds the program there. The policy file keeps the
 * package from starting a service of its own. Lists of packages are fetched only if the package is not in those at hand.
 */
const script = `
  set -e
  check="$1"; shift
  sh -c "$check" > /dev/null 2>&1 && exit 0
  policy=/usr/sbin/policy-rc.d
  if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\\nexit 101\\n' > "$policy"
    chmod +x "$policy"
  fi
  install() { apt-get install -qq -y --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"; }
  install "$@" 2> /dev/null || { apt-get update -qq && install "$@"; }
`

/** What went wrong, if anything did. */
async function install(packages: readonly string[], check: string): Promise<string> {
  const lock = join(tmpdir(), 'oncehook-apt-get.lock')
  try {
    const parameters = [lock, 'sh', '-c', script, 'sh', check, ...packages]
    await promisify(execFile)('flock', parameters, { env: environment(), timeout: 300_000 })
    return 'its package does not hold it'
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    return `apt-get failed: ${stderr.trim().split('\n').at(-1) ?? ''}`
  }
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value)
}
