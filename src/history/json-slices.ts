/**
 * The members of a JSON object, each as it is written there: numbers beyond 2^53 keep their digits, which `JSON.parse` would round.
 * The text has to be valid JSON.
 */
export function membersOf(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>()
  const parts = partsOf(text, '{', '}')
  for (const part of parts) {
    const end = endOfString(part, 0)
    const name = JSON.parse(part.slice(0, end)) as string
    members.set(name, part.slice(part.indexOf(':', end) + 1).trim())
  }
  return members
}

/** The same for the items of an array. */
export function itemsOf(text: string): readonly string[] {
  return partsOf(text, '[', ']')
}

/** What stands between the commas of the outermost level. */
function partsOf(text: string, open: string, close: string): readonly string[] {
  const inner = text.trim()
  if (!inner.startsWith(open) || !inner.endsWith(close)) return []
  const parts: string[] = []
  let depth = 0
  let start = 1
  for (let index = 1; index < inner.length - 1; index += 1) {
    const character = inner[index]
    if (character === '"') index = endOfString(inner, index) - 1
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    else if (character === ',' && depth === 0) {
      parts.push(inner.slice(start, index).trim())
      start = index + 1
    }
  }
  const last = inner.slice(start, -1).trim()
  return last === '' ? parts : [...parts, last]
}

/** The place after the closing quote. */
function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index + 1
}
