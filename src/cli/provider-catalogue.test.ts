import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { generateKeys } from '../testing/provider-keys.ts'
import { loadProvider, providerNames } from './provider-catalogue.ts'

/** These need more than keys: where the signature is, and where the ids are. */
const generic = ['hmac', 'token']

describe('the catalogue of providers', () => {
  test('has every provider that works with keys alone', () => {
    const files = readdirSync(new URL('../providers/', import.meta.url))
    const names = files.filter((file) => !file.endsWith('.test.ts')).map((file) => file.replace(/\.ts$/, ''))

    expect(providerNames.toSorted()).toEqual(names.filter((name) => !generic.includes(name)).toSorted())
  })

  test('has nothing that was not put there', async () => {
    expect(await loadProvider('constructor')).toBeUndefined()
  })

  test.each(providerNames)('makes demo keys for %s with which a stranger gets nowhere', async (name) => {
    const make = await loadProvider(name)
    if (make === undefined) throw new Error(`There is no provider ${name}.`)
    const at = new Date()
    const [own, strange] = [make(generateKeys(name, make, at)), make(generateKeys(name, make, at))]

    expect(own.name).toBe(name)
    expect(own.verify(own.sign({}, at), at).kind).toBe('authentic')
    expect(own.verify(strange.sign({}, at), at).kind).toBe('forged')
    expect(own.warnings).toEqual([])
  })
})
