const mayEndTransaction = /\b(?:commit|rollback|begin|start|end|abort|prepare)\b/i

/**
 * The first statement in a text that would begin or end a transaction, in lower case, or undefined if there is none.
 * Savepoints are not meant, and neither are words inside literals, quoted names and comments.
 */
export function findTransactionStatement(text: string): string | undefined {
  if (!mayEndTransaction.test(text)) return undefined
  return statementWords(text)
    .map(transactionStatement)
    .find((statement) => statement !== undefined)
}

function transactionStatement([first, second, third]: readonly string[]): string | undefined {
  switch (first) {
    case 'commit':
    case 'begin':
    case 'end':
    case 'abort':
      return first
    case 'start':
    case 'prepare':
      return second === 'transaction' ? `${first} transaction` : undefined
    case 'rollback':
      return [second, third].includes('to') && (second === 'to' || isNoise(second)) ? undefined : first
    default:
      return undefined
  }
}

function isNoise(word: string | undefined): boolean {
  return word === 'work' || word === 'transaction'
}

// In this order: whatever starts first in the text wins, and hides everything inside it.
const token = new RegExp(
  [
    String.raw`--[^\n]*`,
    String.raw`\/\*`,
    String.raw`\be'(?:[^'\\]|\\.|'')*'`,
    `'(?:[^']|'')*'`,
    `"(?:[^"]|"")*"`,
    String.raw`(?<![\w$])\$(?<tag>[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$`,
    String.raw`(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
    '(?<end>;)',
  ].join('|'),
  'gis',
)

/** The first words of each statement. */
function statementWords(text: string): readonly (readonly string[])[] {
  const statements: string[][] = [[]]
  token.lastIndex = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const { word, end } = match.groups ?? {}
    const current = statements.at(-1)
    if (end !== undefined) statements.push([])
    else if (word !== undefined) {
      // The body of a function in standard SQL has semicolons and an "end" of its own.
      if (word.toLowerCase() === 'atomic' && current?.at(-1) === 'begin') break
      current?.push(word.toLowerCase())
    } else if (match[0] === '/*') token.lastIndex = endOfComment(text, token.lastIndex)
    else if (match[0].startsWith('$')) token.lastIndex = endOfDollarQuote(text, token.lastIndex, match[0])
  }
  return statements
}

/** Comments of this kind can stand inside each other. */
function endOfComment(text: string, from: number): number {
  const edge = /\/\*|\*\//g
  edge.lastIndex = from
  let depth = 1
  for (let match = edge.exec(text); match !== null; match = edge.exec(text)) {
    depth += match[0] === '/*' ? 1 : -1
    if (depth === 0) return edge.lastIndex
  }
  return text.length
}

function endOfDollarQuote(text: string, from: number, quote: string): number {
  const end = text.indexOf(quote, from)
  return end === -1 ? text.length : end + quote.length
}
