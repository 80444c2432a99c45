const mostCharacters = 30_000

/** A value of JSON in lines that people and models read with ease: members by name, lists item by item, texts as they are. */
export function readable(value: unknown): string {
  const text = linesOf(value, '').join('\n')
  return text.length <= mostCharacters
    ? text
    : `${text.slice(0, mostCharacters).toWellFormed()}\n… (cut here; the structured content is whole)`
}

function linesOf(value: unknown, indent: string): readonly string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${indent}(none)`]
    return value.flatMap((item: unknown) => {
      const [first = '', ...rest] = linesOf(item, `${indent}  `)
      return [`${indent}- ${first.trimStart()}`, ...rest]
    })
  }
  if (typeof value !== 'object' || value === null) return [`${indent}${shown(value)}`]
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const isPlain = typeof member !== 'object' || member === null
    return isPlain ? [`${indent}${name}: ${shown(member)}`] : [`${indent}${name}:`, ...linesOf(member, `${indent}  `)]
  })
}

/** On one line, whatever a sender has put into it. */
function shown(value: unknown): string {
  return typeof value === 'string' && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value) ? value : JSON.stringify(value)
}
