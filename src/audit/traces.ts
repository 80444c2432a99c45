import { soundsLikeWebhook } from './know/names.ts'
import { shapeOf } from './know/routes.ts'
import type { Project } from './project.ts'
import { controllerRoutes } from './run/controllers.ts'
import { createMachine, mostCalls } from './run/create-machine.ts'
import type { Mount, ProjectView, Route } from './run/machine.ts'
import { createModules, type Modules } from './run/modules.ts'
import type { Step } from './run/step.ts'
import { type Closure, tagged, unknown, type Value } from './run/value.ts'
import { type ClassNode, type FunctionNode, isFunction, type Node, visit } from './syntax/ast.ts'

/** Everything that one handler, or one function that stands alone, does on all its ways. */
export type Trace = {
  readonly steps: readonly Step[]
  readonly node: Node
  readonly file: string
  /** Undefined for a function of which nobody knows who calls it. */
  readonly route: Pick<Route, 'path' | 'shape' | 'app'> | undefined
  /** Whether it answers webhooks, as its path, its file or what it verifies tell. */
  readonly isWebhook: boolean
}

export type Traces = {
  readonly traces: readonly Trace[]
  readonly mounts: readonly Mount[]
  /** Files that could not be followed, and why. */
  readonly failures: ReadonlyMap<string, string>
}

type Watch = (done: number, of: number, file: string) => void

/** Files in which nothing of this occurs have no handler; they are read only if one calls into them. */
const interesting = /hook|signature|hmac|event|deliver|dedup|idempot|processed|conflict|transaction|createServer/i

/** A function that nobody is seen to call is followed if it does something of its own; what it calls is looked at by itself. */
const telling =
  /\b(?:query|execute|insert\w*|create|createMany|find\w+|select\w*|exists|save|set(?:nx)?|get|transaction|begin|post|send\w*|json|end|listen|use)\s*[(`<]|sql`|hmac|digest|signature|setImmediate|waitUntil/i

/** Follows every handler of a project, and then every function that none of them has reached. */
export function traceProject(project: Project, root: string, watch: Watch): Traces {
  const failures = new Map<string, string>()
  const routes: Route[] = []
  const mounts: Mount[] = []
  const ran = new Set<Node>()
  let count = 0
  let modules: Modules | undefined
  const view: ProjectView = {
    nextNumber: () => ++count,
    addRoute: (route) => void routes.push(route),
    addMount: (mount) => void mounts.push(mount),
    markRun: (node) => void ran.add(node),
    resolveClass({ node, scope, file }) {
      const parent = node.superClass
      return parent?.type === 'Identifier' ? createMachine(view, file).evaluate(parent, scope).class : undefined
    },
    required: (file, specifier) => modules?.whole(file, specifier) ?? unknown,
  }
  const { scopeOf } = (modules = createModules(project, view))
  const traces: Trace[] = []
  const attempt = (file: string, run: () => void): void => {
    try {
      run()
    } catch (error) {
      failures.set(file, `It cannot be followed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const trace = (closure: Closure, values: readonly Value[], route: Trace['route']): void => {
    const machine = createMachine(view, closure.file, route === undefined ? mostCalls.ofOther : mostCalls.ofHandler)
    machine.invoke(closure, values, closure.node)
    const { steps } = machine
    const names = `${route?.path ?? ''} /${closure.file.slice(root.length)}`
    const isWebhook = soundsLikeWebhook(names) || steps.some(({ kind }) => kind === 'verify')
    if (steps.length > 0) traces.push({ steps, node: closure.node, file: closure.file, route, isWebhook })
  }
  let followed = 0
  const followRoutes = (): void => {
    for (; followed < routes.length; followed += 1) {
      const route = routes[followed]
      if (route !== undefined) attempt(route.file, () => trace(route.closure, valuesFor(route.shape), route))
    }
  }

  const files = project.files.filter((file) => interesting.test(project.text(file)))
  for (const [index, file] of files.entries()) {
    watch(index, files.length, file)
    attempt(file, () => {
      const { names } = scopeOf(file)
      for (const [name, cell] of names) {
        const exported =
          cell.value?.closure ?? (name === 'default' ? cell.value?.members?.get('fetch')?.closure : undefined)
        if (exported?.file === file && isFileRoute(name, file)) {
          const shape = shapeOf(exported)
          routes.push({ closure: exported, path: undefined, node: exported.node, file, app: undefined, shape })
        }
      }
    })
  }
  followRoutes()
  const declarations = new Map(files.map((file) => [file, declaredIn(project.parsed(file))]))
  const declared = (file: string): Declared => declarations.get(file) ?? { functions: [], classes: [] }
  for (const file of files) {
    attempt(file, () => {
      for (const { closure, values, route } of controllerRoutes(declared(file).classes, scopeOf(file), file))
        trace(closure, values, route)
    })
  }
  for (const file of files) {
    attempt(file, () => {
      for (const node of declared(file).functions) {
        if (ran.has(node) || !telling.test(project.text(file).slice(node.start ?? 0, node.end ?? 0))) continue
        const closure: Closure = { kind: 'closure', node, scope: scopeOf(file), file }
        trace(
          closure,
          node.params.map((): Value => ({ ...unknown, isGiven: true })),
          undefined,
        )
        followRoutes()
      }
    })
  }
  return { traces, mounts, failures }
}

/** Frameworks that find handlers by the names of files and exports. */
function isFileRoute(name: string, file: string): boolean {
  if (/^(?:POST|PUT|PATCH)$/.test(name)) return true
  if (name === 'action') return /routes|app/.test(file)
  if (name === 'handler') return /api|lambda|function|hook/i.test(file)
  return name === 'default' && /[/\\](?:api|server|functions|workers?|src)[/\\]/.test(file)
}

function valuesFor(shape: Route['shape']): readonly Value[] {
  const request = { ...tagged('request'), label: 'request' }
  return shape === 'node' ? [request, { ...tagged('response'), label: 'response' }] : [request]
}

type Declared = { readonly functions: readonly FunctionNode[]; readonly classes: readonly ClassNode[] }

/** Outer functions first: what they call has then been seen where it is called. */
function declaredIn(body: readonly Node[]): Declared {
  const functions: FunctionNode[] = []
  const classes: ClassNode[] = []
  for (const node of body)
    visit(node, (each) => {
      if (isFunction(each)) functions.push(each)
      else if (each.type === 'ClassDeclaration' || each.type === 'ClassExpression') classes.push(each)
    })
  return { functions, classes }
}
