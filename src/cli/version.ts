import { readFile } from 'node:fs/promises'

/** Of this package. */
export async function packageVersion(): Promise<string> {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { readonly version: string }).version
}
