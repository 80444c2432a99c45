import type { PathStep } from '../privacy/redaction-path.ts'
import { decodeUtf8, parseJson } from '../verify/json.ts'

/** A document in which numbers are the text that was sent: 1.0 is not 1, and no digit of an id is lost. */
export type ExactJson =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'list'; readonly items: readonly ExactJson[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, ExactJson> }

/** The document, or undefined if the bytes are none, or nested too deep. Of a name that stands twice, the last counts, as everywhere. */
export function readExactJson(bytes: Uint8Array): ExactJson | undefined {
  if (parseJson(bytes, 'plain').kind !== 'parsed') return undefined
  const text = decodeUtf8(bytes)
  return text === undefined ? undefined : toExact(JSON.parse(marked(text)))
}

/** A string, or a number, in a text that is known to be JSON. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs

/** Every string gets an `s` before it and every number becomes a string with an `n` before it, so that `JSON.parse` keeps its digits. */
function marked(text: string): string {
  return text.replaceAll(token, (found) => (found.startsWith('"') ? `"s${found.slice(1)}` : `"n${found}"`))
}

function toExact(value: unknown): ExactJson {
  if (value === null) return { kind: 'null' }
  if (typeof value === 'boolean') return { kind: 'boolean', value }
  if (typeof value === 'string') {
    const rest = value.slice(1)
    return value.startsWith('n') ? { kind: 'number', text: rest } : { kind: 'text', value: rest }
  }
  if (Array.isArray(value)) return { kind: 'list', items: value.map(toExact) }
  const members = Object.entries(value as object).map(([name, member]) => [name.slice(1), toExact(member)] as const)
  return { kind: 'object', members: new Map(members) }
}

/** As JSON again: numbers as they were, members in the order of their names, so that equal documents have equal texts. */
export function exactText(value: ExactJson): string {
  switch (value.kind) {
    case 'null':
      return 'null'
    case 'boolean':
      return String(value.value)
    case 'number':
      return value.text
    case 'text':
      return JSON.stringify(value.value)
    case 'list':
      return `[${value.items.map(exactText).join(',')}]`
    case 'object':
      return `{${[...value.members]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([name, member]) => `${JSON.stringify(name)}:${exactText(member)}`)
        .join(',')}}`
  }
}

/** More are not looked at: `$..*` names everything. */
const mostValues = 1000

/** The values that a path names. */
export function valuesAt(document: ExactJson, steps: readonly PathStep[]): readonly ExactJson[] {
  const found: ExactJson[] = []
  follow(document, 0)
  return found

  function follow(value: ExactJson, place: number): void {
    if (found.length >= mostValues) return
    const step = steps[place]
    if (step === undefined) return void found.push(value)
    for (const [key, child] of childrenOf(value)) {
      if (fits(step, key)) follow(child, place + 1)
      if (step.isAnywhere) follow(child, place)
    }
  }
}

function childrenOf(value: ExactJson): Iterable<readonly [string | number, ExactJson]> {
  if (value.kind === 'object') return value.members
  return value.kind === 'list' ? value.items.entries() : []
}

function fits(step: PathStep, key: string | number): boolean {
  switch (step.kind) {
    case 'any':
      return true
    case 'name':
      return step.name === key
    case 'index':
      return step.index === key
  }
}
