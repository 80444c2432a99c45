/** One module that a file names. */
export type Import = {
  /** Undefined where it is computed at run time. */
  readonly specifier: string | undefined
  /** `type` leaves no trace in the compiled file. `import { type A }` does leave one, and so is `value`. */
  readonly kind: 'value' | 'type' | 'dynamic' | 'require'
  readonly line: number
}

/** A string or template as written; what `+` joins is one text. A hole in a template reads `${}`. */
export type Literal = { readonly text: string; readonly line: number }

type Token = {
  readonly kind: 'word' | 'number' | 'string' | 'template' | 'regex' | 'mark'
  readonly text: string
  readonly line: number
}

/** The modules a file names, in order. Knows the syntax that this project uses: no JSX, no `import x = require()`. */
export function importsOf(source: string): readonly Import[] {
  const tokens = tokenize(source)
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'word' || textAt(tokens, index - 1) === '.') return []
    if (token.text === 'import') return importAt(tokens, index)
    if (token.text === 'export') return exportAt(tokens, index)
    if (token.text === 'require' && textAt(tokens, index + 1) === '(') return [callAt(tokens, index, 'require')]
    return []
  })
}

/** The texts in a file's code. Comments and the names of imported modules are not among them. */
export function literalsOf(source: string): readonly Literal[] {
  const tokens = tokenize(source)
  const literals: Literal[] = []
  for (const [index, token] of tokens.entries()) {
    if (!isLiteral(token)) continue
    const isJoined = textAt(tokens, index - 1) === '+' && isLiteral(tokens[index - 2])
    const last = literals.at(-1)
    if (isJoined && last !== undefined) literals[literals.length - 1] = { ...last, text: last.text + token.text }
    else if (!['from', 'import'].includes(textAt(tokens, index - 1))) literals.push(token)
  }
  return literals.map(({ text, line }) => ({ text, line }))
}

function importAt(tokens: readonly Token[], index: number): readonly Import[] {
  const next = tokens[index + 1]
  if (next === undefined || next.text === '.') return []
  if (next.text === '(') return [callAt(tokens, index, textAt(tokens, index - 1) === 'typeof' ? 'type' : 'dynamic')]
  if (next.kind === 'string') return [{ specifier: next.text, kind: 'value', line: next.line }]
  const isType = next.text === 'type' && !['from', ','].includes(textAt(tokens, index + 2))
  return fromClause(tokens, index + 1, isType ? 'type' : 'value')
}

function exportAt(tokens: readonly Token[], index: number): readonly Import[] {
  const isType = textAt(tokens, index + 1) === 'type'
  const opening = index + (isType ? 2 : 1)
  if (!['{', '*'].includes(textAt(tokens, opening))) return []
  const end = textAt(tokens, opening) === '{' ? closingBrace(tokens, opening) + 1 : opening + 1
  const hasSource = textAt(tokens, end) === 'from' || textAt(tokens, end) === 'as'
  return hasSource ? fromClause(tokens, end, isType ? 'type' : 'value') : []
}

function fromClause(tokens: readonly Token[], start: number, kind: 'value' | 'type'): readonly Import[] {
  const found = tokens.findIndex(({ text }, index) => index >= start && text === 'from' && isString(tokens[index + 1]))
  const source = tokens[found + 1]
  return found === -1 || source === undefined ? [] : [{ specifier: source.text, kind, line: source.line }]
}

function callAt(tokens: readonly Token[], index: number, kind: Import['kind']): Import {
  const argument = tokens[index + 2]
  const isPlain = isLiteral(argument) && !argument.text.includes('${}') && textAt(tokens, index + 3) !== '+'
  return { specifier: isPlain ? argument.text : undefined, kind, line: tokens[index]?.line ?? 0 }
}

function closingBrace(tokens: readonly Token[], opening: number): number {
  return tokens.findIndex(({ kind, text }, index) => index > opening && kind === 'mark' && text === '}')
}

function textAt(tokens: readonly Token[], index: number): string {
  const token = tokens[index]
  return token === undefined || isLiteral(token) ? '' : token.text
}

function isLiteral(token: Token | undefined): token is Token & { kind: 'string' | 'template' } {
  return token !== undefined && (token.kind === 'string' || token.kind === 'template')
}

function isString(token: Token | undefined): boolean {
  return token?.kind === 'string'
}

const tokenPatterns = {
  space: /\s+/y,
  comment: /\/\/[^\n]*|\/\*[\s\S]*?\*\/|^#![^\n]*/y,
  word: /[\p{ID_Start}$_#@][\p{ID_Continue}$]*/uy,
  number: /\.?\d[\w.]*/y,
  string: /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y,
  regex: /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y,
}

/** After one of these words a slash begins a regular expression; after any other word it divides. */
const wordsBeforeRegex = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'do',
  'else',
  'void',
  'throw',
  'await',
  'yield',
])

function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = []
  let position = 0
  let line = 1

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position
    return pattern.exec(source)?.[0]
  }
  const advance = (text: string): void => {
    position += text.length
    line += text.split('\n').length - 1
  }
  const push = (kind: Token['kind'], written: string, text = written): void => {
    tokens.push({ kind, text, line })
    advance(written)
  }

  /** Reads up to the end, or up to the brace that closes a template's hole. */
  const scan = (): void => {
    let depth = 0
    while (position < source.length) {
      const blank = take(tokenPatterns.space) ?? take(tokenPatterns.comment)
      if (blank !== undefined) {
        advance(blank)
        continue
      }
      const character = source.charAt(position)
      if (character === '}' && depth === 0) return
      const string = take(tokenPatterns.string)
      const name = take(tokenPatterns.word)
      const number = take(tokenPatterns.number)
      const regex = character === '/' && mayBeginRegex(tokens.at(-1)) ? take(tokenPatterns.regex) : undefined
      if (character === '`') scanTemplate()
      else if (string !== undefined) push('string', string, string.slice(1, -1))
      else if (name !== undefined) push('word', name)
      else if (number !== undefined) push('number', number)
      else if (regex !== undefined) push('regex', regex)
      else {
        if (character === '{') depth += 1
        if (character === '}') depth -= 1
        push('mark', character)
      }
    }
  }

  /** The template itself stands before the tokens of its holes. */
  const scanTemplate = (): void => {
    const index = tokens.length
    const startLine = line
    let text = ''
    tokens.push({ kind: 'template', text, line })
    advance('`')
    while (position < source.length && source.charAt(position) !== '`') {
      if (source.startsWith('${', position)) {
        advance('${')
        scan()
        advance('}')
        text += '${}'
      } else {
        const piece = source.charAt(position) === '\\' ? source.slice(position, position + 2) : source.charAt(position)
        advance(piece)
        text += piece
      }
    }
    advance('`')
    tokens[index] = { kind: 'template', text, line: startLine }
  }

  // A stray closing brace ends a scan; no file that compiles has one, and the guard must end on any file.
  while (position < source.length) {
    scan()
    if (source.charAt(position) === '}') push('mark', '}')
  }
  return tokens
}

function mayBeginRegex(previous: Token | undefined): boolean {
  if (previous === undefined) return true
  if (previous.kind === 'word') return wordsBeforeRegex.has(previous.text)
  return previous.kind === 'mark' && ![')', ']', '}'].includes(previous.text)
}
