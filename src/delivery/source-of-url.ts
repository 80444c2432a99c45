/**
 * The source that the last segment of the path names, or undefined if it names none. Takes a full URL or one without
 * an origin, and never throws, whatever it holds.
 */
export function sourceOfUrl(url: string): string | undefined {
  if (url === last.url) return last.source
  const source = readSource(url)
  last = { url, source }
  return source
}

/** The same address is called again and again, so that the last answer is kept. */
let last: { readonly url: string; readonly source: string | undefined } = { url: '', source: undefined }

function readSource(url: string): string | undefined {
  const path = url.replace(/[?#].*$/s, '').replace(/^[a-z]+:\/\/[^/]*/i, '')
  const segment = path.split('/').findLast((part) => part !== '')
  if (segment === undefined) return undefined
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
