import { tagsOfParameter } from '../know/names.ts'
import { type Node, nameOfKey } from '../syntax/ast.ts'
import type { Machine } from './machine.ts'
import { memberOf } from './members.ts'
import { either, type Scope, type Tag, unknown, type Value, withTags } from './value.ts'

/** Gives names to a value and its parts, as parameters and declarations do. */
export function bindPattern(machine: Machine, pattern: Node, value: Value, scope: Scope, place: string): void {
  switch (pattern.type) {
    case 'Identifier':
      scope.names.set(pattern.name, { value: named(value, pattern.name, place) })
      return
    case 'TSParameterProperty':
      bindPattern(machine, pattern.parameter, value, scope, place)
      return
    case 'AssignmentPattern': {
      const standard = machine.evaluate(pattern.right, scope)
      const isMissing = value === unknown
      bindPattern(machine, pattern.left, isMissing ? either(standard, value) : value, scope, place)
      return
    }
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') {
          bindPattern(machine, property.argument, value, scope, place)
          continue
        }
        const name = nameOfKey(property.key, property.computed)
        const part = name === undefined ? unknown : memberOf(machine, value, name)
        bindPattern(machine, property.value, part, scope, `${place}.${name}`)
      }
      return
    case 'ArrayPattern':
      for (const [index, element] of pattern.elements.entries()) {
        if (element === null) continue
        if (element.type === 'RestElement') bindPattern(machine, element.argument, value, scope, place)
        else bindPattern(machine, element, memberOf(machine, value, String(index)), scope, `${place}.${index}`)
      }
      return
    default:
  }
}

/** A value takes the name's label, unless it is known as something else. */
function named(value: Value, name: string, place: string): Value {
  const labelled = value.label === undefined ? { ...value, label: `${place}:${name}` } : value
  const isBlank = value.tags.size === 0 && value.label === undefined && value.literal === undefined
  const isEvent = value.tags.has('event-part')
  const tags = tagsOfParameter(name).filter(
    (tag) =>
      tag === 'event-id' ||
      (isBlank && value.members === undefined && (value.isGiven === true || !isOfRequest(tag))) ||
      (tag === 'event' && isEvent),
  )
  return tags.length === 0 ? labelled : withTags(labelled, ...tags)
}

/** A function that is called here with something unknown may well call it `response`, as those behind `fetch` do. */
function isOfRequest(tag: Tag): boolean {
  return tag === 'request' || tag === 'response'
}
