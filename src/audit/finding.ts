import type { Project } from './project.ts'
import type { Node } from './syntax/ast.ts'
import type { Traces } from './traces.ts'

/** How bad it is: events are lost or doubled, somebody could forge or slow it down, or it only grows. */
export type Severity = 'error' | 'warning' | 'hint'

/** A place where a rule is broken. */
export type Finding = {
  readonly rule: string
  readonly severity: Severity
  readonly title: string
  /** Relative to the folder that was audited, with slashes. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** What goes wrong here, as a story. */
  readonly story: string
  readonly cure: string
  readonly link: string
  /** The lines around the place; the first of them is line `firstLine`. */
  readonly code: readonly string[]
  readonly firstLine: number
}

/** What a rule finds: a place, and what goes wrong there. */
export type Breach = { readonly node: Node; readonly file: string; readonly story: string }

/** What is said about one kind of fault. */
export type RuleWords = {
  readonly name: string
  readonly severity: Severity
  readonly title: string
  readonly cure: string
  readonly link: string
}

/** One kind of fault. */
export type Rule = RuleWords & {
  readonly find: (traces: Traces, project: SearchableProject) => readonly Breach[]
}

/** What a rule may ask about the project as a whole. */
export type SearchableProject = Pick<Project, 'files' | 'text'> & { readonly others: readonly string[] }
