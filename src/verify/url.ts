/** The parts of an address as text. `URL` is not used on what was signed: it would rewrite it. */
const addressPattern = /^(https?):\/\/(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?([^#]*)/i

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' }

/** The address without a port, and with its own or else the default one. */
export function portVariants(url: string): readonly string[] {
  const parts = addressPattern.exec(url)
  if (parts === null) return [url]
  const [, scheme = '', host = '', port, rest = ''] = parts
  const explicitPort = port ?? defaultPorts[scheme.toLowerCase()]
  return [`${scheme}://${host}${rest}`, `${scheme}://${host}:${explicitPort}${rest}`]
}

/** The fragment is never sent, so it is never signed. */
export function withoutFragment(url: string): string {
  return url.split('#', 1)[0] ?? ''
}

/** The value of a query parameter that is given once. */
export function queryValue(url: string, name: string): string | undefined {
  const values = queryOf(url).getAll(name)
  return values.length === 1 ? values[0] : undefined
}

/** The query of an address, complete or not. */
export function queryOf(url: string): URLSearchParams {
  const address = withoutFragment(url)
  const start = address.indexOf('?')
  return new URLSearchParams(start < 0 ? '' : address.slice(start + 1))
}

/** The address with this query parameter, in place of any of its name. What stands around it stays as it is written. */
export function withQueryValue(url: string, name: string, value: string): string {
  const [path, query = ''] = splitQuery(withoutFragment(url))
  const others = query.split('&').filter((pair) => pair !== '' && !new URLSearchParams(pair).has(name))
  return `${path}?${[...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join('&')}`
}

/**
 * The address that the sender called, where a proxy shows us another one: the scheme, host and port of `publicUrl`,
 * its path unless that is empty, and its query unless it has none.
 */
export function asCalled(url: string, publicUrl: string | undefined): string {
  if (publicUrl === undefined) return url
  const [, scheme = '', host = '', port, rest = ''] = addressPattern.exec(publicUrl) ?? []
  const origin = `${scheme}://${host}${port === undefined ? '' : `:${port}`}`
  const seen = addressPattern.exec(url)?.[4] ?? withoutFragment(url)
  const [seenPath, seenQuery] = splitQuery(seen)
  const [path, query] = splitQuery(rest)
  const called = query ?? seenQuery
  return `${origin}${path === '' || path === '/' ? seenPath : path}${called === undefined ? '' : `?${called}`}`
}

function splitQuery(text: string): readonly [string, string | undefined] {
  const start = text.indexOf('?')
  return start < 0 ? [text, undefined] : [text.slice(0, start), text.slice(start + 1)]
}
