import { type Delivery, firstHeader } from '../delivery/delivery.ts'
import { decodeUtf8, type ParsedJson, parseJson } from './json.ts'
import type { Malformed } from './verdict.ts'

const prefix = 'ce-'

/** A CloudEvent whose attributes are headers and whose content is the body, in the JSON form that CloudEvents have otherwise. */
export function readBinaryCloudEvent(delivery: Delivery, numbers: 'exact' | 'plain'): ParsedJson | Malformed {
  const { headers, body } = delivery
  const attributes: [string, string][] = []
  for (const [name, values] of headers) {
    if (!name.startsWith(prefix)) continue
    const value = values.length === 1 ? decodedValue(values[0] ?? '') : undefined
    if (value === undefined) return { kind: 'malformed', detail: `The header ${name} is expected once, in UTF-8.` }
    attributes.push([name.slice(prefix.length), value])
  }
  const contentType = firstHeader(headers, 'content-type')
  const content = contentOf(body, contentType ?? 'application/json', numbers)
  if (content.kind === 'malformed') return content
  const type = contentType === undefined ? {} : { datacontenttype: contentType }
  return { kind: 'parsed', document: { ...Object.fromEntries(attributes), ...type, ...content.members } }
}

/** Quotes are taken off first, as older senders used them; then percent signs are decoded, once. */
function decodedValue(sent: string): string | undefined {
  const quoted = /^"(.*)"$/s.exec(sent)?.[1]?.replaceAll(/\\(.)/gs, '$1')
  try {
    return (quoted ?? sent).replaceAll(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent)
  } catch {
    return undefined
  }
}

type Content = { readonly kind: 'content'; readonly members: Readonly<Record<string, unknown>> }

function contentOf(body: Uint8Array, contentType: string, numbers: 'exact' | 'plain'): Content | Malformed {
  if (body.length === 0) return { kind: 'content', members: {} }
  if (/^[\w.-]+\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType)) {
    const parsed = parseJson(body, numbers)
    return parsed.kind === 'parsed' ? { kind: 'content', members: { data: parsed.document } } : parsed
  }
  const text = decodeUtf8(body)
  const members = text === undefined ? { data_base64: Buffer.from(body).toString('base64') } : { data: text }
  return { kind: 'content', members }
}
