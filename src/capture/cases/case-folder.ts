import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CaseFile, isCaseName, readCase } from './case-file.ts'

/** A file of a folder of cases. */
export type FoundCase =
  | { readonly kind: 'case'; readonly file: string; readonly case: CaseFile }
  | { readonly kind: 'wrong'; readonly file: string; readonly mistakes: readonly string[] }

/** All `*.json` of the folder, by name. Undefined if there is no such folder. */
export async function readCases(folder: string): Promise<readonly FoundCase[] | undefined> {
  const names = await readdir(folder).catch(() => undefined)
  if (names === undefined) return undefined
  const files = names.filter((name) => name.endsWith('.json')).toSorted()
  return Promise.all(files.map(async (file) => readOne(join(folder, file), file)))
}

async function readOne(path: string, file: string): Promise<FoundCase> {
  try {
    const read = readCase(JSON.parse(await readFile(path, 'utf8')))
    return 'mistakes' in read ? { kind: 'wrong', file, ...read } : { kind: 'case', file, case: read }
  } catch (error) {
    return { kind: 'wrong', file, mistakes: [error instanceof SyntaxError ? 'it is not JSON.' : 'it cannot be read.'] }
  }
}

/** Writes a case to `<name>.json`. `exists`: there is one of that name, which is left alone. */
export async function saveCase(folder: string, file: CaseFile): Promise<'saved' | 'exists'> {
  // The name comes from outside, and must not lead anywhere else.
  if (!isCaseName(file.name)) throw new TypeError('A case without a checked name cannot be saved.')
  await mkdir(folder, { recursive: true })
  try {
    await writeFile(join(folder, `${file.name}.json`), `${JSON.stringify(file, undefined, 2)}\n`, { flag: 'wx' })
    return 'saved'
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'exists'
    throw error
  }
}
