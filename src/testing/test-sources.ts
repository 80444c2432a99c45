import { invalidOptions } from '../errors.ts'
import type { Provider, ProviderOptions } from '../index.ts'
import type { ProviderFunction } from './catalogue/provider-name.ts'
import { keysFor, makerOf, nameOfFunction, testKeys } from './test-keys.ts'

/** A provider that is ready, or the function that makes it: it then gets the keys of tests. */
export type TestSource = Provider | ProviderFunction
/** Providers, or functions that make them, by the names of sources. */
export type TestSourceMap = Readonly<Record<string, TestSource>>

/** What an inbox is given for them. */
export type SourcesOf<Sources extends TestSourceMap> = {
  readonly [Name in keyof Sources]: Sources[Name] extends (options: never) => infer Made
    ? Made & Provider
    : Sources[Name] & Provider
}

export function prepareSources<Sources extends TestSourceMap>(sources: Sources): SourcesOf<Sources> {
  const names = Object.keys(sources ?? {})
  if (names.length === 0) {
    throw invalidOptions('The test inbox', ['"sources" is empty: give at least one, for example { stripe }.'])
  }
  return Object.fromEntries(names.map((name) => [name, prepareSource(name, sources[name])])) as SourcesOf<Sources>
}

function prepareSource(source: string, given: TestSource | undefined): Provider {
  if (typeof given === 'object' && typeof given.verify === 'function') return given
  if (typeof given !== 'function') {
    throw invalidOptions('The test inbox', [`sources.${source} is neither a provider nor the function that makes one.`])
  }
  const name = nameOfFunction(given)
  if (name !== undefined) return makerOf(name)(testKeys(name))
  const make = given as (options: ProviderOptions) => Provider
  return make(keysFor(source, make))
}

/** The source that a provider's deliveries belong to. */
export function sourceOf(sources: Readonly<Record<string, Provider>>, provider: string): string {
  const fitting = Object.keys(sources).filter((name) => sources[name]?.name === provider)
  if (fitting.length === 1 && fitting[0] !== undefined) return fitting[0]
  const problem = fitting.length === 0 ? 'no source of it' : `the sources ${fitting.join(' and ')} of it`
  throw invalidOptions('The delivery', [
    `it is one of ${provider}, and this inbox has ${problem}: say which one is meant with { source }. There are: ${Object.keys(sources).join(', ')}.`,
  ])
}
