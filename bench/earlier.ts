import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Measurement } from './measurements.ts'
import type { Settings } from './settings.ts'

/** What an earlier run has measured. Throws a sentence if it was made with other settings: its figures are not to be mixed with these. */
export async function readEarlier(file: string, settings: Settings): Promise<Measurement[]> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return []
  const earlier = JSON.parse(text) as { readonly settings: Settings; readonly measurements: Measurement[] }
  if (!isDeepStrictEqual(earlier.settings, settings)) {
    throw new Error(`${file} was made with other settings. Leave out --add, or give the same options as then.`)
  }
  return earlier.measurements
}
