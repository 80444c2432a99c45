import type { Project } from '../project.ts'
import type { Node } from '../syntax/ast.ts'
import { createMachine } from './create-machine.ts'
import type { ProjectView } from './machine.ts'
import { executeAll } from './statements.ts'
import { type Cell, type Scope, unknown, type Value } from './value.ts'

/** Files as they are after their first lines have run. Each runs once. */
export type Modules = {
  readonly scopeOf: (file: string) => Scope
  readonly exportOf: (file: string, name: string) => Value
  /** Everything that a file exports, as `require` and `import *` give it. */
  readonly whole: (file: string, specifier: string) => Value
}

export function createModules(project: Project, view: ProjectView): Modules {
  const scopes = new Map<string, Scope>()

  const scopeOf = (file: string): Scope => {
    const known = scopes.get(file)
    if (known !== undefined) return known
    const scope: Scope = { names: new Map(), parent: undefined }
    // Before it runs: files may import each other in a circle.
    scopes.set(file, scope)
    const body = project.parsed(file)
    scope.names.set('require', { value: { ...unknown, label: 'require' } })
    for (const node of body) bindImports(node, file, scope)
    executeAll(createMachine(view, file), body, scope)
    for (const node of body) bindExports(node, file, scope)
    return scope
  }

  const exportOf = (file: string, name: string): Value => {
    const cell = scopeOf(file).names.get(name === 'default' ? 'default' : name)
    if (cell !== undefined) return cell.value ?? cell.find?.() ?? unknown
    return reexported(file, name) ?? unknown
  }

  const imported = (file: string, specifier: string, name: string): Value => {
    const target = project.resolve(file, specifier)
    if (target === undefined) return { ...unknown, label: `${specifier}#${name}` }
    return name === '*' ? whole(file, specifier) : exportOf(target, name)
  }

  const whole = (file: string, specifier: string): Value => {
    const target = project.resolve(file, specifier)
    if (target === undefined) return { ...unknown, label: `${specifier}#*` }
    const names = [...scopeOf(target).names.keys()]
    const members = new Map(names.map((each) => [each, exportOf(target, each)]))
    return { ...(members.get('default') ?? unknown), label: `${target}#*`, members }
  }

  const lazily = (file: string, specifier: string, name: string): Cell => ({
    value: undefined,
    find: () => imported(file, specifier, name),
  })

  const bindImports = (node: Node, file: string, scope: Scope): void => {
    if (node.type !== 'ImportDeclaration') return
    for (const each of node.specifiers) {
      const name =
        each.type === 'ImportDefaultSpecifier'
          ? 'default'
          : each.type === 'ImportNamespaceSpecifier'
            ? '*'
            : nameOf(each.imported)
      scope.names.set(each.local.name, lazily(file, node.source.value, name))
    }
  }

  /** `export { a as b }` and `export { a } from './other'`. */
  const bindExports = (node: Node, file: string, scope: Scope): void => {
    if (
      node.type === 'ExportDefaultDeclaration' &&
      'id' in node.declaration &&
      node.declaration.id?.type === 'Identifier'
    ) {
      const cell = scope.names.get(node.declaration.id.name)
      if (cell !== undefined) scope.names.set('default', cell)
    }
    if (node.type !== 'ExportNamedDeclaration') return
    for (const each of node.specifiers) {
      if (each.type !== 'ExportSpecifier') continue
      const local = nameOf(each.local)
      const cell = node.source == null ? scope.names.get(local) : lazily(file, node.source.value, local)
      if (cell !== undefined) scope.names.set(nameOf(each.exported), cell)
    }
  }

  const reexported = (file: string, name: string): Value | undefined => {
    for (const node of project.parsed(file)) {
      if (node.type !== 'ExportAllDeclaration') continue
      const target = project.resolve(file, node.source.value)
      if (target === undefined || target === file) continue
      const found = exportOf(target, name)
      if (found !== unknown) return found
    }
    return undefined
  }

  return { scopeOf, exportOf, whole }
}

function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name
  return node.type === 'StringLiteral' ? node.value : ''
}
