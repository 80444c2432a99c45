import { tagsOfHeader } from '../know/names.ts'
import { bare, type ClassNode, isFunction, type Node, nameOfKey } from '../syntax/ast.ts'
import type { Route } from './machine.ts'
import { type Closure, type Scope, tagged, unknown, type Value } from './value.ts'

/** A method of a controller that answers requests. */
export type ControllerRoute = {
  readonly closure: Closure
  readonly values: readonly Value[]
  readonly route: Pick<Route, 'path' | 'shape' | 'app'>
}

/** Methods with `@Post()` and its like, as Nest has them. */
export function controllerRoutes(
  classes: readonly ClassNode[],
  scope: Scope,
  file: string,
): readonly ControllerRoute[] {
  return classes.flatMap((owner) => routesOf(owner, scope, file))
}

function routesOf(owner: ClassNode, scope: Scope, file: string): readonly ControllerRoute[] {
  const base = decoratorsOf(owner).find(({ name }) => name === 'Controller')?.text ?? ''
  const receiver: Value = { ...unknown, label: `${file}:${owner.start}`, instance: { node: owner, scope, file } }
  return owner.body.body.flatMap((member) => {
    const route = decoratorsOf(member).find(({ name }) => /^(?:Post|Put|Patch|All)$/.test(name))
    if (route === undefined || !isFunction(member)) return []
    const values = member.params.map((parameter) => valueOfParameter(parameter))
    const closure: Closure = { kind: 'closure', node: member, scope, file, receiver }
    return [
      { closure, values, route: { path: `/${base}/${route.text ?? ''}`, shape: 'fetch' as const, app: undefined } },
    ]
  })
}

type Decoration = { readonly name: string; readonly text: string | undefined }

function decoratorsOf(node: Node): readonly Decoration[] {
  const decorators = 'decorators' in node && Array.isArray(node.decorators) ? node.decorators : []
  return decorators.flatMap(({ expression }) => {
    const called = bare(expression)
    const callee = called.type === 'CallExpression' ? bare(called.callee) : called
    const first = called.type === 'CallExpression' ? called.arguments[0] : undefined
    const text = first?.type === 'StringLiteral' ? first.value : undefined
    const name =
      callee.type === 'Identifier' ? callee.name : 'property' in callee ? nameOfKey(callee.property, false) : undefined
    return name === undefined ? [] : [{ name, text }]
  })
}

function valueOfParameter(parameter: Node): Value {
  const [decoration] = decoratorsOf(parameter)
  switch (decoration?.name) {
    case 'Req':
    case 'Request':
      return { ...tagged('request'), label: 'request' }
    case 'Res':
    case 'Response':
      return { ...tagged('response'), label: 'response' }
    case 'Headers':
      return decoration.text === undefined ? tagged('headers') : tagged(...tagsOfHeader(decoration.text))
    case 'Body':
      return tagged('event', 'parsed-body')
    case 'RawBody':
      return tagged('raw-body')
    default:
      return { ...unknown, isGiven: true }
  }
}
