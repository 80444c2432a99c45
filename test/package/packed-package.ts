import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))
const require = createRequire(import.meta.url)

/** The compilers that users have: an old one, a recent one, and our own. */
export const compilers = {
  '5.4': join(dirname(require.resolve('typescript-5.4/package.json')), 'typescript/bin/tsc'),
  '5.9': join(dirname(require.resolve('typescript-5.9/package.json')), 'typescript/bin/tsc'),
  current: join(dirname(require.resolve('typescript/package.json')), 'bin/tsc'),
}

/** The package as a user gets it. */
export type PackedPackage = {
  readonly tarball: string
  /** Paths inside the package. */
  readonly files: readonly string[]
  readonly manifest: Manifest
  /** What a user may import: `oncehook`, `oncehook/postgres` and so on, wildcards spelled out. */
  readonly publicPaths: readonly string[]
  /** A project with this package and nothing else installed. */
  readonly consumer: string
  /** Such a project with packages of ours besides. */
  readonly makeConsumerWith: (packages: readonly string[]) => Promise<string>
  readonly remove: () => Promise<void>
}

type Manifest = {
  readonly name: string
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string>>
}

/** Builds a copy of the project, packs it, and installs the tarball in an empty folder, so that `dist` here is neither used nor touched. */
export async function packPackage(): Promise<PackedPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'oncehook-package-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    return { ...(await packInto(folder)), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function packInto(folder: string): Promise<Omit<PackedPackage, 'remove'>> {
  const project = join(folder, 'project')
  const consumer = join(folder, 'consumer')
  await copyProject(project)
  await npm(['run', '--silent', 'build'], project)
  const packed = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], project)
  const [{ filename, files }] = JSON.parse(packed) as [{ filename: string; files: readonly { path: string }[] }]
  const tarball = join(folder, filename)
  await makeConsumer(consumer, tarball)
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest
  const paths = files.map(({ path }) => path)
  const makeConsumerWith = (packages: readonly string[]): Promise<string> =>
    extendConsumer(consumer, join(folder, `extended-${packages.join('-').replaceAll(/[^\w-]/g, '_')}`), packages)
  return { tarball, files: paths, manifest, publicPaths: expandExports(manifest, paths), consumer, makeConsumerWith }
}

type Run = {
  readonly program: string
  readonly parameters: readonly string[]
  readonly folder: string
  readonly limitSeconds?: number
}

/** What the program printed. Rejects with all it printed if it fails or does not end. */
export async function run({ program, parameters, folder, limitSeconds = 50 }: Run): Promise<string> {
  // Settings that npm hands down to its scripts would steer the npm that is run here.
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  const env = { ...Object.fromEntries(inherited), NO_COLOR: '1' }
  try {
    const limits = { timeout: limitSeconds * 1000, maxBuffer: 2 ** 26 }
    const { stdout } = await promisify(execFile)(program, parameters, { cwd: folder, env, ...limits })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '', killed = false } = error as { stdout?: string; stderr?: string; killed?: boolean }
    const outcome = killed ? `did not end within ${limitSeconds} s` : 'failed'
    throw new Error(`${program} ${parameters.join(' ')} ${outcome}\n${stdout}${stderr}`, { cause: error })
  }
}

function npm(parameters: readonly string[], folder: string): Promise<string> {
  return run({ program: 'npm', parameters, folder })
}

async function copyProject(folder: string): Promise<void> {
  await mkdir(folder)
  const names = ['src', 'dashboard', 'scripts', 'package.json', 'tsconfig.json', 'tsconfig.build.json']
  for (const name of names) await cp(join(root, name), join(folder, name), { recursive: true })
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md']) {
    await cp(join(root, name), join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir')
}

async function makeConsumer(folder: string, tarball: string): Promise<void> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--prefer-offline']
  await npm(['install', ...quiet, tarball], folder)
  // Node's types, as any TypeScript project for Node has them.
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
  await symlink(dirname(require.resolve('@types/node/package.json')), join(folder, 'node_modules/@types/node'), 'dir')
}

async function extendConsumer(consumer: string, folder: string, packages: readonly string[]): Promise<string> {
  await cp(consumer, folder, { recursive: true, verbatimSymlinks: true })
  for (const name of packages) {
    const place = join(folder, 'node_modules', name)
    await mkdir(dirname(place), { recursive: true })
    await symlink(join(root, 'node_modules', name), place, 'dir')
  }
  return folder
}

function expandExports({ name, exports }: Manifest, files: readonly string[]): readonly string[] {
  return Object.entries(exports).flatMap(([path, target]) => {
    const publicPath = name + path.slice(1)
    const [before = '', after] = target.slice('./'.length).split('*')
    if (after === undefined) return [publicPath]
    return files
      .filter((file) => file.startsWith(before) && file.endsWith(after))
      .map((file) => publicPath.replace('*', file.slice(before.length, file.length - after.length)))
  })
}
