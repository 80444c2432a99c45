import { type ExactJson, exactText } from './exact-json.ts'

/** A place in which documents differ, and what each has there: JSON, or undefined where there is nothing. */
export type Difference = { readonly path: string; readonly values: readonly (string | undefined)[] }

export type Differences = {
  readonly differences: readonly Difference[]
  /** Whether there are more than are told. */
  readonly isTruncated: boolean
}

const mostDifferences = 300
const longestValue = 2000

type Values = readonly (ExactJson | undefined)[]

/**
 * Where documents differ, by path. The order of members means nothing; numbers differ if their digits do. Elements of lists are compared by
 * their place or, if all of them are objects with an `id` of their own, by that.
 */
export function compareJson(documents: Values): Differences {
  const differences: Difference[] = []
  let isTruncated = false
  compare('$', documents)
  return { differences, isTruncated }

  function compare(path: string, values: Values): void {
    const texts = values.map((value) => value && exactText(value))
    if (texts.every((text) => text === texts[0])) return
    if (differences.length >= mostDifferences) {
      isTruncated = true
      return
    }
    const parts = partsOf(values)
    if (parts === undefined) {
      differences.push({ path, values: texts.map((text) => text && shortened(text)) })
      return
    }
    for (const [step, children] of parts) compare(`${path}${step}`, children)
  }
}

/** The members or elements, each with what every document has there; undefined if they cannot be taken apart alike. */
function partsOf(values: Values): readonly (readonly [string, Values])[] | undefined {
  if (values.every((value) => value?.kind === 'object')) {
    return together(
      values.map(({ members }) => members),
      nameStep,
    )
  }
  if (!values.every((value) => value?.kind === 'list')) return undefined
  const lists = values.map(({ items }) => items)
  const byId = lists.map(itemsById)
  if (byId.every((items) => items !== undefined)) return together(byId, (id) => `[id=${id}]`)
  return together(
    lists.map((items) => new Map(items.map((item, index) => [String(index), item]))),
    (index) => `[${index}]`,
  )
}

function together(
  maps: readonly ReadonlyMap<string, ExactJson>[],
  step: (key: string) => string,
): readonly (readonly [string, Values])[] {
  const keys = new Set(maps.flatMap((map) => [...map.keys()]))
  return [...keys].map((key) => [step(key), maps.map((map) => map.get(key))])
}

/** Undefined unless each has an id, and no other has the same. */
function itemsById(items: readonly ExactJson[]): ReadonlyMap<string, ExactJson> | undefined {
  const found = new Map<string, ExactJson>()
  for (const item of items) {
    const id = item.kind === 'object' ? item.members.get('id') : undefined
    if (id?.kind !== 'text' && id?.kind !== 'number') return undefined
    const key = id.kind === 'text' ? id.value : id.text
    if (found.has(key)) return undefined
    found.set(key, item)
  }
  return found.size === 0 ? undefined : found
}

function nameStep(name: string): string {
  return /^[\w-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

function shortened(text: string): string {
  return text.length <= longestValue ? text : `${text.slice(0, longestValue).toWellFormed()}…`
}
