/** A node of the syntax tree, as the parser makes it. */
export type Node = import('@babel/types').Node

/** What can be called: it has parameters and a body. */
export type FunctionNode = Extract<
  Node,
  {
    type:
      | 'FunctionDeclaration'
      | 'FunctionExpression'
      | 'ArrowFunctionExpression'
      | 'ObjectMethod'
      | 'ClassMethod'
      | 'ClassPrivateMethod'
  }
>

export type ClassNode = Extract<Node, { type: 'ClassDeclaration' | 'ClassExpression' }>

/** A comment with the line on which it ends. */
export type Comment = { readonly text: string; readonly line: number; readonly endLine: number }

export function isFunction(node: Node | null | undefined): node is FunctionNode {
  switch (node?.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassPrivateMethod':
      return true
    default:
      return false
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

const notSyntax = new Set([
  'loc',
  'leadingComments',
  'innerComments',
  'trailingComments',
  'typeAnnotation',
  'typeParameters',
  'returnType',
])

/** Calls a function with a node and all that is below it, without types. */
export function visit(node: Node, see: (node: Node) => void): void {
  see(node)
  for (const name in node) {
    const value: unknown = node[name as keyof Node]
    if (typeof value !== 'object' || value === null || notSyntax.has(name)) continue
    if (Array.isArray(value)) {
      for (const each of value) if (isNode(each)) visit(each, see)
    } else if (isNode(value)) visit(value, see)
  }
}

/** The expression without what only the compiler reads: parentheses, `as`, `!`, `satisfies`. */
export function bare(node: Node): Node {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'TypeCastExpression':
    case 'TSInstantiationExpression':
      return bare(node.expression)
    default:
      return node
  }
}

/** The name of a member, or of a key in an object, as far as it can be read. */
export function nameOfKey(key: Node, isComputed: boolean): string | undefined {
  if (key.type === 'Identifier' && !isComputed) return key.name
  if (key.type === 'PrivateName') return `#${key.id.name}`
  if (key.type === 'StringLiteral') return key.value
  return key.type === 'NumericLiteral' ? String(key.value) : undefined
}
