import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { providerNames } from '../../src/cli/provider-catalogue.ts'

const folder = new URL('.', import.meta.url)
const suites = readdirSync(folder)
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => readFileSync(new URL(file, folder), 'utf8'))
  .filter((text) => text.includes('describeProviders('))

describe('the catalogue', () => {
  test('has ninety-nine providers', () => {
    expect(providerNames).toHaveLength(99)
  })

  test.each(providerNames)('holds %s to the promises that every provider keeps', (name) => {
    expect(suites.filter((text) => text.includes(`name: '${name}'`)).length).toBeGreaterThan(0)
  })
})
