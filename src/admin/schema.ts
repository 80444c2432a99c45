/** A part of a JSON Schema (2020-12), as OpenAPI 3.1 has it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Something that does not fit, and where: `filter.limit`. The whole is an empty path. */
export type Mistake = { readonly path: string; readonly message: string }

/** What a value has to look like. One description reads what comes in, writes what goes out, and is shown in the OpenAPI document. */
export type Schema<Value> = {
  readonly json: JsonSchema
  /** Descriptions with a name of their own that `json` refers to. */
  readonly definitions: Readonly<Record<string, JsonSchema>>
  /** The value, or `undefined` after every mistake in it was noted. Anything that is not described is a mistake. */
  readonly read: (given: unknown, at: Place) => Value | undefined
  /** As it goes over the wire. What is not described is left out, so that nothing gets out by accident. */
  write(value: Value): unknown
  /** What a query parameter means before it is read. */
  readonly fromText: (text: string) => unknown
  readonly isOptional?: true
}

/** Where the reading is, and where mistakes are noted. */
export type Place = { readonly path: string; readonly mistakes: Mistake[] }

/** A member that need not be there. */
export type OptionalSchema<Value> = Schema<Value> & { readonly isOptional: true }

export type ValueOf<Given> = Given extends Schema<infer Value> ? Value : never

/** The members of an object, by name. */
export type Members = Readonly<Record<string, Schema<unknown>>>

type OptionalNames<Given extends Members> = {
  [Name in keyof Given]: Given[Name] extends OptionalSchema<unknown> ? Name : never
}[keyof Given]

export type ObjectOf<Given extends Members> = {
  readonly [Name in Exclude<keyof Given, OptionalNames<Given>>]: ValueOf<Given[Name]>
} & { readonly [Name in OptionalNames<Given>]?: ValueOf<Given[Name]> | undefined }

export type ObjectSchema<Given extends Members> = Schema<ObjectOf<Given>> & { readonly members: Given }

type Words = { readonly description?: string }

type TextLimits = Words & {
  /** In characters. Default 1 to 2000. */
  readonly least?: number
  readonly most?: number
  /** The whole text has to match, and `expected` says what that means. */
  readonly pattern?: RegExp
  readonly expected?: string
}

/** A text. NUL and half characters are refused, because no database column takes them. */
export function text({ least = 1, most = 2000, pattern, expected, description }: TextLimits = {}): Schema<string> {
  return plain({
    json: {
      type: 'string',
      ...(least > 0 && { minLength: least }),
      maxLength: most,
      ...(pattern !== undefined && { pattern: pattern.source }),
      ...(description !== undefined && { description }),
    },
    fits: (given): given is string => typeof given === 'string',
    expected: 'a text',
    refine(value) {
      if (value.length < least) return least === 1 ? 'is empty' : `is shorter than ${least} characters`
      if (value.length > most) return `is longer than ${most} characters`
      if (value.includes('\u0000') || !value.isWellFormed()) return 'holds a character that cannot be stored'
      return pattern === undefined || pattern.test(value) ? undefined : `is not ${expected ?? 'of the right form'}`
    },
  })
}

/** A text of an answer, of any length. */
export function anyText(words: Words = {}): Schema<string> {
  return plain({
    json: { type: 'string', ...words },
    fits: (given): given is string => typeof given === 'string',
    expected: 'a text',
  })
}

type NumberLimits = Words & { readonly least?: number; readonly most?: number }

/** A whole number that JavaScript can hold. */
export function whole({ least = 0, most = Number.MAX_SAFE_INTEGER, description }: NumberLimits = {}): Schema<number> {
  return plain({
    json: { type: 'integer', minimum: least, maximum: most, ...(description !== undefined && { description }) },
    fits: (given): given is number => Number.isSafeInteger(given),
    expected: 'a whole number',
    refine: (value) => (value < least || value > most ? `is not between ${least} and ${most}` : undefined),
    fromText: numberOf,
  })
}

/** Any number, for measurements. */
export function number({ least, most, description }: NumberLimits = {}): Schema<number> {
  return plain({
    json: {
      type: 'number',
      ...(least !== undefined && { minimum: least }),
      ...(most !== undefined && { maximum: most }),
      ...(description !== undefined && { description }),
    },
    fits: (given): given is number => typeof given === 'number' && Number.isFinite(given),
    expected: 'a number',
    refine: (value) =>
      (least !== undefined && value < least) || (most !== undefined && value > most)
        ? `is not between ${least ?? '−∞'} and ${most ?? '∞'}`
        : undefined,
    fromText: numberOf,
  })
}

export function flag(words: Words = {}): Schema<boolean> {
  return plain({
    json: { type: 'boolean', ...words },
    fits: (given): given is boolean => typeof given === 'boolean',
    expected: 'true or false',
    fromText: (given) => (given === 'true' ? true : given === 'false' ? false : given),
  })
}

/** One of a few words. */
export function choice<const Word extends string>(words: readonly Word[], about: Words = {}): Schema<Word> {
  return plain({
    json: { type: 'string', enum: words, ...about },
    fits: (given): given is Word => (words as readonly unknown[]).includes(given),
    expected: `one of ${words.join(', ')}`,
  })
}

/** A time as ISO 8601 has it, and a `Date` in the program. */
export function time(words: Words = {}): Schema<Date> {
  return {
    json: { type: 'string', format: 'date-time', ...words },
    definitions: {},
    read(given, at) {
      const isTime = typeof given === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]{5,15}(?:Z|[+-]\d{2}:\d{2})$/.test(given)
      const read = new Date(isTime ? given : Number.NaN)
      return Number.isNaN(read.getTime()) ? note(at, 'is no time: give one as in 2026-01-31T12:00:00Z') : read
    },
    write: (value) => value.toISOString(),
    fromText: (given) => given,
  }
}

/** Any JSON value. */
export function anything(words: Words = {}): Schema<unknown> {
  return {
    json: { ...words },
    definitions: {},
    read: (given) => given,
    write: (value) => value,
    fromText: (given) => given,
  }
}

/** Gives a description a name, under which the OpenAPI document shows it once. */
export function named<Value>(name: string, schema: Schema<Value>): Schema<Value> {
  const { json, definitions, ...rest } = schema
  return { ...rest, json: { $ref: `#/components/schemas/${name}` }, definitions: { ...definitions, [name]: json } }
}

/** Says which type of ours a description is of: the type decides for the program, the description for the wire. */
export function describes<Value>(schema: Schema<unknown>): Schema<Value> {
  return schema as Schema<Value>
}

/** The value may be left out. */
export function optional<Value>(schema: Schema<Value>): OptionalSchema<Value> {
  return { ...schema, isOptional: true }
}

/** The value may be `null`, which says that there is none. */
export function nullable<Value>(schema: Schema<Value>): Schema<Value | null> {
  return {
    ...schema,
    json: { anyOf: [schema.json, { type: 'null' }] },
    read: (given, at) => (given === null ? null : schema.read(given, at)),
    write: (value) => (value === null ? null : schema.write(value)),
  }
}

/** Notes a mistake, and stands for the value that could not be read. */
export function note({ path, mistakes }: Place, message: string): undefined {
  mistakes.push({ path, message })
}

type Plain<Value> = {
  readonly json: JsonSchema
  readonly fits: (given: unknown) => given is Value
  readonly expected: string
  /** What is wrong with a value of the right kind. */
  readonly refine?: (value: Value) => string | undefined
  readonly fromText?: (text: string) => unknown
}

function plain<Value>({ json, fits, expected, refine, fromText = (given) => given }: Plain<Value>): Schema<Value> {
  return {
    json,
    definitions: {},
    read(given, at) {
      if (!fits(given)) return note(at, given === undefined ? `is missing: give ${expected}` : `is not ${expected}`)
      const mistake = refine?.(given)
      return mistake === undefined ? given : note(at, mistake)
    },
    write: (value) => value,
    fromText,
  }
}

function numberOf(given: string): unknown {
  return /^-?\d{1,16}(?:\.\d{1,16})?$/.test(given) ? Number(given) : given
}
