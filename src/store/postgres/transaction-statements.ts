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

// In this order: whatever starts first in the text wins, and hides everything up to its own end.
const token = new RegExp(
  [
    String.raw`--[^\n]*`,
    String.raw`\/\*`,
    String.raw`(?<![\w$])e'`,
    `'`,
    `"`,
    String.raw`(?<![\w$])\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$`,
    String.raw`(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
    '(?<end>;)',
  ].join('|'),
  'gi',
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
    } else token.lastIndex = endOfHidden(text, token.lastIndex, match[0].toLowerCase())
  }
  return statements
}

/** Where the comment, literal or quoted name ends that has just begun. */
function endOfHidden(text: string, from: number, opening: string): number {
  if (opening.startsWith('--')) return from
  if (opening === '/*') return endOfComment(text, from)
  if (opening === "e'") return endOfEscapedLiteral(text, from)
  // A doubled quote ends one literal and begins the next, which comes to the same. Tags of dollar quotes keep their case.
  const quote = opening.startsWith('$') ? text.slice(from - opening.length, from) : opening
  const end = text.indexOf(quote, from)
  return end === -1 ? text.length : end + quote.length
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

function endOfEscapedLiteral(text: string, from: number): number {
  const edge = /\\.|''|'/gs
  edge.lastIndex = from
  for (let match = edge.exec(text); match !== null; match = edge.exec(text)) {
    if (match[0] === "'") return edge.lastIndex
  }
  return text.length
}
