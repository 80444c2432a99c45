import { useEffect, useState } from 'preact/hooks'
import { linkTo, parseRoute, type Query, type Route } from '../logic/route.ts'

/** Where the reader is, and goes. */
export function useRoute(): Route {
  const [hash, setHash] = useState(() => location.hash)
  useEffect(() => {
    const follow = (): void => setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return parseRoute(hash)
}

export function goTo(path: readonly string[], query: Query = {}): void {
  location.hash = linkTo(path, query)
}

/** Changes the query of the page that is shown, without a step for the back button. */
export function replaceQuery(route: Route, changes: Query): void {
  const query = { ...Object.fromEntries(route.query), ...changes }
  history.replaceState(undefined, '', linkTo(route.path, query))
  dispatchEvent(new HashChangeEvent('hashchange'))
}
