/** Strings, numbers and words as they stand, and each mark on its own. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/** However deep it goes, a line has room for more than its margin. */
const deepest = 20

/**
 * A JSON text with a member on each line. Nothing but white space is changed: long numbers keep their digits, and members that are there
 * twice stay. Undefined if it is not JSON.
 */
export function prettyJson(text: string): string | undefined {
  if (!isJson(text)) return undefined
  const lines: string[] = []
  let line = ''
  let depth = 0
  const end = (): void => {
    lines.push(line)
    line = '  '.repeat(Math.min(depth, deepest))
  }
  let before = ''
  for (const [token] of text.matchAll(tokens)) {
    const isOpening = token === '{' || token === '['
    const isClosing = token === '}' || token === ']'
    if (isClosing) {
      depth -= 1
      if (before !== '{' && before !== '[') end()
    } else if (before === '{' || before === '[' || before === ',') end()
    line += token === ':' ? ': ' : token
    if (isOpening) depth += 1
    before = token
  }
  return [...lines, line].join('\n')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
