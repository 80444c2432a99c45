import { type KeyObject, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

/** The secrets that a source was given, as far as anybody else may know them. */
export type SecretList = {
  readonly count: number
  /**
   * Differs where the list differs, so that what is remembered of a place in it is not taken for another secret's. For one secret it says
   * nothing at all, for several two bytes of a slow hash over all of them together: enough to notice a change, useless for guessing one.
   */
  readonly mark: () => Promise<string>
}

/** One in 65,536 changes goes unnoticed. */
const markBytes = 2

export function secretListOf(source: string, keys: readonly KeyObject[]): SecretList {
  let marking: Promise<string> | undefined
  return {
    count: keys.length,
    mark() {
      marking ??= keys.length < 2 ? Promise.resolve(String(keys.length)) : markOf(source, keys)
      return marking
    },
  }
}

async function markOf(source: string, keys: readonly KeyObject[]): Promise<string> {
  const parts = keys.map((key) => (key.type === 'secret' ? key.export() : key.export({ type: 'spki', format: 'der' })))
  const all = Buffer.concat(parts.flatMap((part) => [Buffer.from(`${part.length}:`), part]))
  const hash = await promisify<Buffer, string, number, Buffer>(scrypt)(all, `oncehook secrets of ${source}`, markBytes)
  return `${keys.length}-${hash.toString('hex')}`
}
