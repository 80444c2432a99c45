import type { PathStep, RedactionPath } from './redaction-path.ts'

/** A value of a document, as far as the paths are concerned. */
export type Place = {
  /** It is to go, with all that is in it. */
  readonly isNamed: boolean
  /** Which steps may lead further down from here. */
  readonly waiting: readonly Waiting[]
}

type Waiting = { readonly path: RedactionPath; readonly step: PathStep; readonly number: number }

/** Follows all paths at once while a document is read from its beginning to its end. */
export type PathMatcher = {
  readonly root: Place
  /** The name is only asked for where it can matter. */
  readonly member: (parent: Place, name: () => string) => Place
  readonly element: (parent: Place, index: number) => Place
}

const nowhere: Place = { isNamed: false, waiting: [] }

/** `found` gets the text of every path that names a value. */
export function createMatcher(paths: readonly RedactionPath[], found: Set<string>): PathMatcher {
  return {
    root: placeOf(paths.map((path) => ({ path, number: 0 }))),
    member(parent, name) {
      if (parent.waiting.length === 0) return nowhere
      const given = name()
      return below(parent, (step) => step.kind === 'any' || (step.kind === 'name' && step.name === given))
    },
    element: (parent, index) =>
      below(parent, (step) => step.kind === 'any' || (step.kind === 'index' && step.index === index)),
  }

  function below(parent: Place, fits: (step: PathStep) => boolean): Place {
    if (parent.waiting.length === 0) return nowhere
    const reached: { path: RedactionPath; number: number }[] = []
    for (const { path, step, number } of parent.waiting) {
      if (fits(step)) reached.push({ path, number: number + 1 })
      if (step.isAnywhere) reached.push({ path, number })
    }
    return reached.length === 0 ? nowhere : placeOf(reached)
  }

  /** What is in a value that goes need not be looked at any more. */
  function placeOf(reached: readonly { readonly path: RedactionPath; readonly number: number }[]): Place {
    const named = reached.filter(({ path, number }) => number === path.steps.length)
    for (const { path } of named) found.add(path.text)
    if (named.length > 0) return { isNamed: true, waiting: [] }
    const waiting = reached.flatMap(({ path, number }) => {
      const step = path.steps[number]
      return step === undefined ? [] : [{ path, step, number }]
    })
    return { isNamed: false, waiting: unique(waiting) }
  }
}

/** `$..a..b` reaches the same step in many ways; each is followed once, so that nesting cannot make the list grow. */
function unique(waiting: readonly Waiting[]): readonly Waiting[] {
  return waiting.filter(
    (one, index) => waiting.findIndex(({ path, number }) => path === one.path && number === one.number) === index,
  )
}
