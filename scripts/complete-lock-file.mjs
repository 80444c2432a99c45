// Adds to package-lock.json the optional platform packages that npm left out because the registry in use does not have them.
// Without them `npm ci` refuses the lock file everywhere. Run it after `npm install`; it changes nothing if nothing is missing.
// A folder as an argument: the lock file there.
import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL(`../${process.argv[2] ?? '.'}/package-lock.json`, import.meta.url)
const lockFile = JSON.parse(readFileSync(path, 'utf8'))

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

const added = []
for (const { dev, optionalDependencies = {} } of Object.values(lockFile.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const key = `node_modules/${name}`
    if (lockFile.packages[key] !== undefined) continue
    lockFile.packages[key] = { version, ...platformOf(name), ...(dev === true ? { dev } : {}), optional: true }
    added.push(name)
  }
}

if (added.length > 0) {
  const sorted = Object.entries(lockFile.packages).toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(path, `${JSON.stringify({ ...lockFile, packages: Object.fromEntries(sorted) }, undefined, 2)}\n`)
}
console.log(added.length === 0 ? 'Nothing is missing.' : `Added ${added.join(', ')}.`)

/** The platform is in the name: nothing is fetched for a machine it does not fit. */
function platformOf(name) {
  const parts = name.replaceAll('wasm32-wasi', 'wasm32').split(/[/-]/)
  const os = systems.filter((system) => parts.includes(system))
  const cpu = processors.filter((processor) => parts.includes(processor))
  const libc = parts.some((part) => part.startsWith('musl')) ? ['musl'] : []
  if (cpu.length !== 1) throw new Error(`Cannot tell the platform of ${name}. Add it to the lists in this script.`)
  return { cpu, ...(libc.length > 0 ? { libc } : {}), ...(os.length > 0 ? { os } : {}) }
}
