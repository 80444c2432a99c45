import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, systemCodeOf } from './failure.ts'

/** The files that the command line keeps beside a project. */
export type Home = {
  readonly folder: string
  /** The embedded database. */
  readonly data: string
  readonly secrets: string
  /** Where a running receiver can be reached, while one runs. */
  readonly control: string
}

export function homeOf(directory: string): Home {
  const folder = join(directory, '.oncehook')
  return {
    folder,
    data: join(folder, 'data'),
    secrets: join(folder, 'secrets.json'),
    control: join(folder, 'control.json'),
  }
}

/** Makes the folder, for its owner alone. */
export async function prepareHome({ folder }: Home): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
}

/** Writes a file that only its owner can read, whole or not at all. */
export async function writePrivately(path: string, content: unknown): Promise<void> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(unfinished, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(unfinished, path)
}

/** The JSON object in a file, or undefined if there is no such file. */
export async function readJsonFile(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined
    throw failed(`${path} cannot be read (${systemCodeOf(error)}).`, error)
  }
  try {
    const content: unknown = JSON.parse(text)
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) return { ...content }
  } catch {
    // Parser messages quote the file, and this one may hold secrets.
  }
  throw failed(`${path} is not a JSON object. Mend it, or delete it to have it made anew.`)
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
