import type { JsonSchema, Members, ObjectOf, ObjectSchema, Place, Schema, ValueOf } from './schema.ts'
import { note } from './schema.ts'

/** An object with these members and no others. */
export function object<const Given extends Members>(
  members: Given,
  words: { readonly description?: string } = {},
): ObjectSchema<Given> {
  const names = Object.keys(members)
  const required = names.filter((name) => members[name]?.isOptional !== true)
  return {
    members,
    json: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, members[name]?.json])),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      ...words,
    },
    definitions: definitionsOf(Object.values(members)),
    read(given, at) {
      if (!isRecord(given)) return note(at, given === undefined ? 'is missing: give an object' : 'is not an object')
      const before = at.mistakes.length
      for (const name of Object.keys(given)) {
        if (!Object.hasOwn(members, name)) note(inside(at, name), `is unknown; there are: ${names.join(', ')}`)
      }
      const read = names.flatMap((name) => {
        const member = members[name]
        const value = Object.hasOwn(given, name) ? given[name] : undefined
        if (member === undefined || (value === undefined && member.isOptional === true)) return []
        return [[name, member.read(value, inside(at, name))]]
      })
      return at.mistakes.length > before ? undefined : (Object.fromEntries(read) as ObjectOf<Given>)
    },
    write(value) {
      // A plain loop: of a long timeline, lists of pairs take more time than the database does.
      const held = value as Readonly<Record<string, unknown>>
      const written: Record<string, unknown> = {}
      for (const name of names) if (held[name] !== undefined) written[name] = members[name]?.write(held[name])
      return written
    },
    fromText: (given) => given,
  }
}

type ListLimits = { readonly least?: number; readonly most?: number; readonly description?: string }

/** A list. As a query parameter its values stand between commas. */
export function list<Value>(
  of: Schema<Value>,
  { least = 0, most = 1000, description }: ListLimits = {},
): Schema<readonly Value[]> {
  return {
    json: {
      type: 'array',
      items: of.json,
      ...(least > 0 && { minItems: least }),
      maxItems: most,
      ...(description !== undefined && { description }),
    },
    definitions: of.definitions,
    read(given, at) {
      if (!Array.isArray(given)) return note(at, given === undefined ? 'is missing: give a list' : 'is not a list')
      if (given.length < least) return note(at, `has fewer than ${least} values`)
      if (given.length > most) return note(at, `has more than ${most} values`)
      const before = at.mistakes.length
      const read = given.map((value: unknown, index) => of.read(value, { ...at, path: `${at.path}[${index}]` }))
      return at.mistakes.length > before ? undefined : (read as readonly Value[])
    },
    write: (values) => values.map((value) => of.write(value)),
    fromText: (given) => given.split(',').map(of.fromText),
  }
}

/** Two values in a list of exactly two, such as the name and the value of a header. */
export function pair<First, Second>(first: Schema<First>, second: Schema<Second>): Schema<readonly [First, Second]> {
  return {
    json: { type: 'array', prefixItems: [first.json, second.json], items: false, minItems: 2, maxItems: 2 },
    definitions: definitionsOf([first, second]),
    read(given, at) {
      if (!Array.isArray(given) || given.length !== 2) return note(at, 'is not a list of two values')
      const before = at.mistakes.length
      const read = [
        first.read(given[0], { ...at, path: `${at.path}[0]` }),
        second.read(given[1], { ...at, path: `${at.path}[1]` }),
      ]
      return at.mistakes.length > before ? undefined : (read as unknown as readonly [First, Second])
    },
    write: ([one, other]) => [first.write(one), second.write(other)],
    fromText: (given) => given,
  }
}

/** Values by names that only the run time knows. */
export function mapOf<Value>(
  of: Schema<Value>,
  { most = 200, description }: { readonly most?: number; readonly description?: string } = {},
): Schema<Readonly<Record<string, Value>>> {
  return {
    json: {
      type: 'object',
      additionalProperties: of.json,
      maxProperties: most,
      ...(description !== undefined && { description }),
    },
    definitions: of.definitions,
    read(given, at) {
      if (!isRecord(given)) return note(at, given === undefined ? 'is missing: give an object' : 'is not an object')
      const entries = Object.entries(given)
      if (entries.length > most) return note(at, `has more than ${most} members`)
      const before = at.mistakes.length
      const read = entries.map(([name, value]) => [name, of.read(value, inside(at, name))] as const)
      return at.mistakes.length > before ? undefined : (Object.fromEntries(read) as Readonly<Record<string, Value>>)
    },
    write: (value) => Object.fromEntries(Object.entries(value).map(([name, held]) => [name, of.write(held)])),
    fromText: (given) => given,
  }
}

type Variants = Readonly<Record<string, ObjectSchema<Members>>>

type VariantOf<Tag extends string, Given> = {
  [Word in keyof Given]: { readonly [Name in Tag]: Word } & ValueOf<Given[Word]>
}[keyof Given]

/** One of several objects; the member `tag`, which they need not name themselves, says which. */
export function variants<const Tag extends string, const Given extends Variants>(
  tag: Tag,
  given: Given,
): Schema<VariantOf<Tag, Given>> {
  const words = Object.keys(given)
  const jsonOf = (word: string): JsonSchema => {
    const { properties, required } = (given[word]?.json ?? {}) as {
      properties?: object
      required?: readonly string[]
    }
    return {
      type: 'object',
      properties: { [tag]: { type: 'string', const: word }, ...properties },
      required: [tag, ...(required ?? [])],
      additionalProperties: false,
    }
  }
  return {
    json: { oneOf: words.map(jsonOf) },
    definitions: definitionsOf(Object.values(given)),
    read(value, at) {
      if (!isRecord(value)) return note(at, value === undefined ? 'is missing: give an object' : 'is not an object')
      const { [tag]: word, ...rest } = value
      const variant = typeof word === 'string' && Object.hasOwn(given, word) ? given[word] : undefined
      if (variant === undefined) return note(inside(at, tag), `is not one of ${words.join(', ')}`)
      const read = variant.read(rest, at)
      return read === undefined ? undefined : ({ [tag]: word, ...read } as VariantOf<Tag, Given>)
    },
    write(value) {
      const word = (value as Readonly<Record<string, string>>)[tag] ?? ''
      return { [tag]: word, ...(given[word]?.write(value) as object) }
    },
    fromText: (text) => text,
  }
}

function inside(at: Place, name: string): Place {
  // Whoever made up a name of a megabyte need not read it again.
  const shown = name.slice(0, 100)
  return { ...at, path: at.path === '' ? shown : `${at.path}.${shown}` }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function definitionsOf(schemas: readonly Pick<Schema<never>, 'definitions'>[]): Readonly<Record<string, JsonSchema>> {
  return Object.assign({}, ...schemas.map(({ definitions }) => definitions)) as Readonly<Record<string, JsonSchema>>
}
