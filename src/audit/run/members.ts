import { isIdOfEvent, tagsOfHeader } from '../know/names.ts'
import { type ClassNode, isFunction, type Node, nameOfKey } from '../syntax/ast.ts'
import type { Machine } from './machine.ts'
import { type ClassValue, has, type Tag, tagged, unknown, type Value } from './value.ts'

/** What `value.name` is. */
export function memberOf(machine: Machine, value: Value, name: string): Value {
  const known = value.members?.get(name) ?? (/^\d+$/.test(name) ? value.items?.[Number(name)] : undefined)
  if (known !== undefined) return known
  if (value.instance !== undefined) {
    const found = memberOfInstance(machine, value, value.instance, name)
    if (found !== undefined) return found
  }
  const { transaction, isGiven } = value
  return {
    tags: new Set(tagsOfMember(value, name)),
    about: value.about,
    label: value.label === undefined ? undefined : `${value.label}.${name}`,
    from: value.from ?? value.label,
    ...(transaction === undefined ? {} : { transaction }),
    ...(isGiven === undefined ? {} : { isGiven }),
  }
}

function tagsOfMember(value: Value, name: string): readonly Tag[] {
  const tags: Tag[] = []
  if (has(value, 'request')) tags.push(...tagsOfRequest(name))
  if (has(value, 'headers')) tags.push(...tagsOfHeader(name))
  if (has(value, 'environment')) tags.push(name === 'env' ? 'environment' : 'secret')
  if (name === 'length' || name === 'byteLength') return tags
  if (has(value, 'event', 'parsed-body', 'request-body')) tags.push(isIdOfEvent(name) ? 'event-id' : 'event-part')
  if (has(value, 'event-part')) tags.push(/^(?:event|eventId|event_id)$/.test(name) ? 'event-id' : 'event-part')
  if (has(value, 'event') && /^(?:event|payload|body|data)$/.test(name)) tags.push('event')
  for (const tag of [
    'signature',
    'token',
    'digest',
    'body-hash',
    'raw-body',
    'hmac',
    'hash',
    'written-again',
    'event-id',
  ] as const)
    if (has(value, tag)) tags.push(tag)
  return tags
}

function tagsOfRequest(name: string): readonly Tag[] {
  switch (name) {
    case 'body':
      return ['request-body', 'event']
    case 'rawBody':
    case 'raw_body':
      return ['raw-body']
    case 'headers':
      return ['headers']
    case 'req':
    case 'request':
    case 'raw':
      return ['request']
    default:
      return []
  }
}

/** A method, or a field as far as its type or its first value tell what it is. */
function memberOfInstance(machine: Machine, value: Value, owner: ClassValue, name: string): Value | undefined {
  const { node, scope, file } = owner
  for (const member of node.body.body) {
    if (!('key' in member) || nameOfKey(member.key, 'computed' in member && member.computed) !== name) continue
    if (isFunction(member))
      return { ...unknown, closure: { kind: 'closure', node: member, scope, file, receiver: value } }
    if (member.type !== 'ClassProperty' && member.type !== 'ClassPrivateProperty') continue
    const initial = member.value == null ? undefined : fieldValue(machine, member.value, value, owner)
    return initial ?? typedMember(machine, value, owner, name, member.typeAnnotation)
  }
  const parameter = parameterProperty(node, name)
  if (parameter !== undefined) return typedMember(machine, value, owner, name, parameter)
  const parent = machine.project.resolveClass(owner)
  return parent === undefined ? undefined : memberOfInstance(machine, value, parent, name)
}

/** Arrow functions and values that are given to a field where it is declared. */
function fieldValue(machine: Machine, initial: Node, value: Value, { scope, file }: ClassValue): Value | undefined {
  if (isFunction(initial)) {
    const around = { names: new Map([['this', { value }]]), parent: scope }
    return { ...unknown, closure: { kind: 'closure', node: initial, scope: around, file } }
  }
  const { state } = machine
  const found = machine.evaluate(initial, scope)
  machine.state = state
  return found.closure !== undefined || found.instance !== undefined || found.literal !== undefined ? found : undefined
}

/** The annotation of `constructor(private readonly name: Type)`, or of a plain parameter of that name. */
function parameterProperty(node: ClassNode, name: string): Node | undefined | null {
  const constructor = node.body.body.find((member) => member.type === 'ClassMethod' && member.kind === 'constructor')
  if (constructor?.type !== 'ClassMethod') return undefined
  for (const parameter of constructor.params) {
    const inner = parameter.type === 'TSParameterProperty' ? parameter.parameter : parameter
    if (inner.type === 'Identifier' && inner.name === name) return inner.typeAnnotation ?? null
  }
  return undefined
}

/** What dependency injection will put there: an instance of the class that the type names, if that is in the project. */
function typedMember(
  machine: Machine,
  value: Value,
  { scope }: ClassValue,
  name: string,
  annotation: Node | null | undefined,
): Value {
  const label = `${value.label}.${name}`
  const type = annotation?.type === 'TSTypeAnnotation' ? annotation.typeAnnotation : undefined
  if (type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier') {
    const found = machine.evaluate(type.typeName, scope)
    if (found.class !== undefined) return { ...unknown, label, instance: found.class }
  }
  return { ...tagged(), label }
}
