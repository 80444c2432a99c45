import { describe, expect, test } from 'vitest'
import { providerNames } from '../cli/provider-catalogue.ts'
import { providerList } from './catalogue/provider-list.ts'
import type { ProviderName } from './catalogue/provider-name.ts'
import { sampleList } from './catalogue/sample-list.ts'
import { deliveries } from './deliveries.ts'

const names = Object.keys(providerList) as ProviderName[]

describe('the deliveries of tests', () => {
  test('are there for every provider (else run scripts/write-catalogue.mjs)', () => {
    const functions = providerNames.map((name) => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()))

    expect(Object.keys(deliveries).toSorted()).toEqual(functions.toSorted())
  })
})

describe('events of every type', () => {
  test.each(names)('of %s keep their type and their signature when they get fields', (name) => {
    for (const type of Object.keys(sampleList[name].samples)) {
      const plain = deliveries[name](type, {}, { seed: type })
      const filled = deliveries[name](type, { remark: 'here it is' }, { seed: type })

      const { provider } = filled.making

      expect(provider.verify(filled, filled.making.at).kind).toBe('authentic')
      expect([filled.type, filled.id !== '']).toEqual([plain.type, true])
      expect(filled.body.equals(plain.body)).toBe(false)
    }
  })
})
