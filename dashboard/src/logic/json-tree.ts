/** One line of a JSON tree. `path` is its name for people and for what is folded. */
export type TreeLine = {
  readonly path: string
  readonly depth: number
  /** The key or index; undefined for the root. */
  readonly name: string | undefined
  readonly content:
    | { readonly kind: 'object' | 'array'; readonly count: number; readonly isOpen: boolean }
    | { readonly kind: 'string' | 'number' | 'boolean' | 'null'; readonly text: string }
    /** What is left out, so that a huge document does not stop the browser. */
    | { readonly kind: 'more'; readonly count: number }
}

/** Which branches are open: those near the root, but for what the reader has turned over. */
export type Folding = { readonly openDepth: number; readonly turned: ReadonlySet<string> }

/** More children of one branch are not shown. */
const mostChildren = 500
/** Deeper branches have to be opened by hand, each a step: a document a million levels deep is no danger. */
const mostLines = 5_000

/** The visible lines of a document, from the top. Walks with a stack of its own: no depth overflows it. */
export function treeLines(document: unknown, { openDepth, turned }: Folding): readonly TreeLine[] {
  const lines: TreeLine[] = []
  const open: Pending[] = [{ path: '$', depth: 0, name: undefined, value: document }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, depth, name } = next
    if (lines.length >= mostLines) {
      lines.push({ path: `${path} …`, depth, name: undefined, content: { kind: 'more', count: open.length + 1 } })
      break
    }
    if ('left' in next) {
      lines.push({ path, depth, name, content: { kind: 'more', count: next.left } })
      continue
    }
    const children = childrenOf(next.value)
    if (children === undefined) {
      lines.push({ path, depth, name, content: scalarOf(next.value) })
      continue
    }
    const isOpen = depth < openDepth !== turned.has(path)
    const kind = Array.isArray(next.value) ? 'array' : 'object'
    lines.push({ path, depth, name, content: { kind, count: children.length, isOpen } })
    if (isOpen) open.push(...pendingOf(next, children).toReversed())
  }
  return lines
}

type Pending = { readonly path: string; readonly depth: number; readonly name: string | undefined } & (
  | { readonly value: unknown }
  | { readonly left: number }
)

function pendingOf(parent: Pending, children: readonly (readonly [string, unknown])[]): readonly Pending[] {
  const depth = parent.depth + 1
  const shown = children
    .slice(0, mostChildren)
    .map(([name, value]) => ({ path: `${parent.path}.${name}`, depth, name, value }))
  const left = children.length - shown.length
  return left === 0 ? shown : [...shown, { path: `${parent.path} …`, depth, name: undefined, left }]
}

function childrenOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined
}

function scalarOf(value: unknown): TreeLine['content'] {
  if (typeof value === 'string') return { kind: 'string', text: JSON.stringify(value) }
  if (typeof value === 'number' || typeof value === 'bigint') return { kind: 'number', text: String(value) }
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) }
  return { kind: 'null', text: 'null' }
}

/** The document of a text, or undefined. Integers that a number cannot hold exactly stay exact, where the browser tells their source. */
export function parseDocument(text: string): { readonly document: unknown } | undefined {
  const exact = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
      ? BigInt(context?.source ?? 0)
      : value
  for (const reviver of [exact, undefined]) {
    try {
      return { document: JSON.parse(text, reviver) as unknown }
    } catch {
      // Too deep for a reviver, or no JSON: the second time tells which.
    }
  }
  return undefined
}
