import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { providerModules } from '../../src/cli/provider-modules.ts'
import type { Provider } from '../../src/verify/provider.ts'
import type { ProviderOptions } from '../../src/verify/provider-options.ts'

type Vector = {
  readonly why: string
  readonly expect: 'valid' | 'invalid'
  /** Why it is refused, for one that is invalid. */
  readonly reason?: string
  readonly secret?: string
  readonly publicKey?: string
  /** Options that only this provider has. */
  readonly options?: Readonly<Record<string, unknown>>
  readonly at: number
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const folder = new URL('../vectors/', import.meta.url)
const names = readdirSync(folder).map((file) => file.replace(/\.json$/, ''))

describe.each(names)('the published examples of %s', async (name) => {
  const create = (await providerModules[name]?.()) as (options: ProviderOptions) => Provider
  const vectors = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as readonly Vector[]

  test.each(vectors)('get the verdict that its own library gives: $expect, $why', (vector) => {
    const { secret, publicKey, options, at, method, url, headers, body } = vector
    const provider = create({ secret, publicKey, ...options })

    const verdict = provider.verify({ method, url, headers, body }, new Date(at * 1000))

    expect(verdict).toMatchObject(
      vector.expect === 'valid'
        ? { kind: 'authentic', secretIndex: 0 }
        : { kind: 'forged', reason: vector.reason ?? 'a reason has to be given' },
    )
  })
})
