/** A request as somebody pasted it. */
export type PastedRequest = {
  readonly method: string
  /** Undefined if only a path was given. */
  readonly url: string | undefined
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

/**
 * Reads what people have at hand: the text of an HTTP request, or its headers alone. The body begins after the first empty line and is
 * taken to the letter, since a signature is over exactly these bytes.
 */
export function readPastedRequest(text: string): PastedRequest {
  const [, head = '', body = ''] = /^([\s\S]*?)(?:\r?\n\r?\n([\s\S]*))?$/.exec(text.replace(/^\s+/, '')) ?? []
  const lines = head.split(/\r?\n/)
  const first = /^([A-Z]{3,10})\s+(\S+)(?:\s+HTTP\/[\d.]+)?$/.exec(lines[0] ?? '')
  const headers = (first === null ? lines : lines.slice(1)).flatMap((line) => {
    const [, name = '', value = ''] = /^([^\s:]+):\s*(.*?)\s*$/.exec(line) ?? []
    return name === '' ? [] : [[name.toLowerCase(), value] as const]
  })
  const target = first?.[2]
  const host = headers.find(([name]) => name === 'host')?.[1]
  const isWhole = target !== undefined && /^https?:\/\//.test(target)
  const url = isWhole ? target : target !== undefined && host !== undefined ? `https://${host}${target}` : undefined
  return { method: first?.[1] ?? 'POST', url, headers, body }
}
