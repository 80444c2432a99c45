import { isUtf8 } from 'node:buffer'
import { type ExactJson, exactText, readExactJson } from '../exact-json.ts'
import type { Original } from '../original.ts'
import type { CaseExpectation, CaseFile, CaseRequest } from './case-file.ts'
import { createMasker, type Masker, type MaskOptions } from './mask.ts'

export type CaseToMake = MaskOptions & {
  readonly name: string
  readonly description?: string | undefined
  /** Where it is to be sent, if that is known. */
  readonly source?: string | undefined
  readonly expect: CaseExpectation
  /** Headers that carry the provider's proof: they are made anew in each run. */
  readonly proofHeaders: readonly string[]
}

/** About the connection it came by, or added on the way. */
const leftOut =
  /^(?:host|connection|content-length|transfer-encoding|content-encoding|keep-alive|te|trailer|upgrade|expect|via|forwarded|x-forwarded-.*|x-real-ip|cf-.*|cdn-.*|traceparent|tracestate|accept-encoding)$/i

/** A request of before as a file that can be shown to others: without signatures and secrets, and with what looks private masked. */
export function makeCase(original: Original, wish: CaseToMake): CaseFile {
  const { name, description, source, expect, proofHeaders, keep, mask } = wish
  const masker = createMasker({ keep, mask })
  const headers = headersOf(original, masker, proofHeaders)
  const body = bodyOf(original, masker)
  const provider = original.identity?.provider
  const redacted = [...masker.masked]
  return {
    format: 'oncehook-case/1',
    name,
    ...(description !== undefined && { description }),
    ...(source !== undefined && { source }),
    ...(provider !== undefined && { provider }),
    request: { method: original.method, headers, ...body },
    expect,
    ...(redacted.length > 0 && { redacted }),
  }
}

function headersOf(
  { headers }: Original,
  masker: Masker,
  proofHeaders: readonly string[],
): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {}
  for (const [given, value] of headers) {
    const name = given.toLowerCase()
    if (leftOut.test(name) || proofHeaders.includes(name)) continue
    const shown = masker.field(name, value, `header ${name}`)
    kept[name] = kept[name] === undefined ? shown : `${kept[name]}, ${shown}`
  }
  return kept
}

function bodyOf({ content, headers }: Original, masker: Masker): Partial<CaseRequest> {
  if (content.byteLength === 0) return {}
  const document = readExactJson(content)
  if (document !== undefined) {
    const masked = masker.document(document)
    // Numbers that JavaScript would round stay as they are, in a text.
    return isExact(masked) ? { json: JSON.parse(exactText(masked)) as unknown } : { text: exactText(masked) }
  }
  if (!isUtf8(content)) return { base64: Buffer.from(content).toString('base64') }
  const text = Buffer.from(content).toString('utf8')
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (!/^\s*application\/x-www-form-urlencoded\b/i.test(type)) return { text: masker.text(text, 'body') }
  const fields = [...new URLSearchParams(text)].map(([name, value]) => [
    name,
    masker.field(name, value, `field ${name}`),
  ])
  return { text: new URLSearchParams(fields as [string, string][]).toString() }
}

function isExact(value: ExactJson): boolean {
  switch (value.kind) {
    case 'number':
      return String(Number(value.text)) === value.text
    case 'list':
      return value.items.every(isExact)
    case 'object':
      return [...value.members.values()].every(isExact)
    case 'null':
    case 'boolean':
    case 'text':
      return true
  }
}
