/** Where the reader is: `#/receipts/12?tab=hex`. Behind the hash, so that the app runs under any path without help of the server. */
export type Route = {
  readonly path: readonly string[]
  readonly query: ReadonlyMap<string, string>
}

export type Query = Readonly<Record<string, string | undefined>>

/** Reads the hash of an address. What cannot be decoded is taken as it stands. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  return {
    path: path
      .split('/')
      .filter((part) => part !== '')
      .map(decode),
    query: new Map([...new URLSearchParams(query)].filter(([, value]) => value !== '')),
  }
}

/** An address inside the app. Whatever a part holds, it stays one part, and the address stays inside. */
export function linkTo(path: readonly string[], query: Query = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, value)
  }
  const tail = parameters.toString()
  return `#/${path.map(encodeURIComponent).join('/')}${tail === '' ? '' : `?${tail}`}`
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
