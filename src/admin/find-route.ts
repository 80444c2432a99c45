import type { Route } from './route.ts'

export type FoundRoute =
  | { readonly kind: 'found'; readonly route: Route; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong_method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' }

export type FindRoute = (method: string, path: string) => FoundRoute

type Prepared = { readonly route: Route; readonly pattern: RegExp; readonly names: readonly string[] }

/** Finds routes by method and path. A route whose path is written out goes before one with a parameter in that place. */
export function createFindRoute(routes: readonly Route[]): FindRoute {
  const prepared: readonly Prepared[] = routes
    .map((route) => ({ route, pattern: patternOf(route.path), names: parametersOf(route.path) }))
    .toSorted((one, other) => one.names.length - other.names.length)

  return (method, path) => {
    const candidates = prepared.flatMap((candidate) => {
      const match = candidate.pattern.exec(path)
      return match === null ? [] : [{ ...candidate, values: match.slice(1) }]
    })
    const fewest = candidates[0]?.names.length
    const here = candidates.filter(({ names }) => names.length === fewest)
    const chosen =
      here.find(({ route }) => route.method === method) ?? candidates.find(({ route }) => route.method === method)
    if (chosen === undefined) {
      const allowed = [...new Set(candidates.map(({ route }) => route.method))]
      return allowed.length === 0 ? { kind: 'unknown' } : { kind: 'wrong_method', allowed }
    }
    const values = chosen.values.map(decoded)
    if (values.includes(undefined)) return { kind: 'unknown' }
    const parameters = Object.fromEntries(chosen.names.map((name, index) => [name, values[index] ?? '']))
    return { kind: 'found', route: chosen.route, parameters }
  }
}

/** The names between braces. */
export function parametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/[.]/g, String.raw`\.`).replaceAll(/\{\w+\}/g, '([^/]+)')}/?$`)
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
