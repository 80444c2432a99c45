import { parseRedactionPath } from '../privacy/redaction-path.ts'
import { exactText, valuesAt } from './exact-json.ts'
import type { CaptureRequest } from './request.ts'

/** Between the braces: what is asked for, and where. */
const place = /\{\{\s*([^{}]{1,200}?)\s*\}\}/g

/** What is asked for that does not exist. */
export function templateMistakes(text: string): readonly string[] {
  return [...text.matchAll(place)].flatMap(([, asked = '']) => {
    const wish = readWish(asked)
    return 'mistake' in wish ? [`has {{${asked}}}: ${wish.mistake}`] : []
  })
}

/** Fills in what the request says. What it does not say is empty. `write` makes a value fit for where it goes. */
export function fillIn(
  text: string,
  { request, id }: { readonly request: CaptureRequest; readonly id: string },
  write: (value: string) => string,
): string {
  return text.replaceAll(place, (whole, asked: string) => {
    const wish = readWish(asked)
    return 'mistake' in wish ? whole : write(valueOf(wish, request, id))
  })
}

type Wish =
  | { readonly kind: 'id' | 'method' | 'path' }
  | { readonly kind: 'header' | 'query'; readonly name: string }
  | { readonly kind: 'json'; readonly steps: Parameters<typeof valuesAt>[1] }

function readWish(asked: string): Wish | { readonly mistake: string } {
  if (asked === 'id' || asked === 'method' || asked === 'path') return { kind: asked }
  const [, kind, name] = /^(header|query|json)\.(.+)$/s.exec(asked) ?? []
  if (kind === 'header') return { kind, name: (name ?? '').toLowerCase() }
  if (kind === 'query') return { kind, name: name ?? '' }
  if (kind !== 'json') return { mistake: 'there are json.<path>, header.<name>, query.<name>, method, path and id.' }
  const parsed = parseRedactionPath(name ?? '')
  return 'mistake' in parsed ? parsed : { kind, steps: parsed.steps }
}

function valueOf(wish: Wish, request: CaptureRequest, id: string): string {
  switch (wish.kind) {
    case 'id':
      return id
    case 'method':
      return request.method
    case 'path':
      return request.path
    case 'header':
      return request.headers.find(([name]) => name.toLowerCase() === wish.name)?.[1] ?? ''
    case 'query':
      return new URLSearchParams(request.query).get(wish.name) ?? ''
    case 'json': {
      const document = request.document()
      const [first] = document === undefined ? [] : valuesAt(document, wish.steps)
      if (first === undefined) return ''
      return first.kind === 'text' ? first.value : exactText(first)
    }
  }
}
