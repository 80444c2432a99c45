import type { Route } from '../admin/route.ts'
import type { JsonSchema, Mistake, Schema } from '../admin/schema.ts'
import { readable } from './readable.ts'
import type { Tool, ToolAnnotations, ToolAnswer } from './tool.ts'

/** A call of the API, and what came back. */
export type CallApi = (
  call: { readonly method: string; readonly path: string; readonly body: unknown },
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly body: unknown }>

export type RouteTool = Pick<Tool, 'name' | 'title' | 'description'> & {
  /** As in `GET /receipts/{id}`. */
  readonly route: string
}

type Parts = readonly (readonly [part: 'parameters' | 'query' | 'body', schema: Schema<unknown>])[]

/** A tool that is a call of the REST API: its arguments are the parameters, the query and the body of the call, and are checked as those are. */
export function routeTool({ name, title, description }: RouteTool, route: Route, callApi: CallApi): Tool {
  const parts = partsOf(route)
  return {
    name,
    title,
    description,
    inputSchema: inputSchemaOf(parts),
    ...(route.answer !== undefined && { outputSchema: rooted(route.answer) }),
    annotations: annotationsOf(route),
    async call(given, signal) {
      const mistakes = mistakesIn(given, parts)
      if (mistakes.length > 0) return refused(mistakes.map(({ path, message }) => `${path} ${message}.`).join('\n'))
      const { status, body } = await callApi({ ...addressOf(route, given, parts), method: route.method }, signal)
      return status < 300 ? done(body) : refused(sentenceOf(status, body))
    },
  }
}

function done(body: unknown): ToolAnswer {
  const structured = typeof body === 'object' && body !== null ? body : {}
  return { kind: 'done', structured, text: readable(structured) }
}

function refused(text: string): ToolAnswer {
  return { kind: 'refused', text }
}

/** The API's own words, each mistake in a line. */
function sentenceOf(status: number, body: unknown): string {
  type Refused = { readonly error?: { readonly message?: unknown; readonly details?: readonly Mistake[] } }
  const { message, details = [] } = (body as Refused | undefined)?.error ?? {}
  const lines = details.map(({ path, message: why }) => `${path} ${why}.`)
  return [typeof message === 'string' ? message : `The API answered with ${status}.`, ...lines].join('\n')
}

function partsOf({ parameters, query, body }: Route): Parts {
  const all = [
    ['parameters', parameters],
    ['query', query],
    ['body', body],
  ] as const
  return all.flatMap(([part, schema]) => (schema === undefined ? [] : [[part, schema as Schema<unknown>] as const]))
}

type ObjectJson = { readonly properties?: Readonly<Record<string, JsonSchema>>; readonly required?: readonly string[] }

function objectOf({ json }: Schema<unknown>): Required<ObjectJson> {
  const { properties = {}, required = [] } = json as ObjectJson
  return { properties, required }
}

function inputSchemaOf(parts: Parts): object {
  const objects = parts.map(([, schema]) => objectOf(schema))
  const definitions = Object.assign({}, ...parts.map(([, schema]) => schema.definitions)) as object
  return within({
    type: 'object',
    properties: Object.assign({}, ...objects.map(({ properties }) => properties)) as object,
    required: objects.flatMap(({ required }) => required),
    additionalProperties: false,
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  })
}

/** An answer is an object; a description that only refers to another is that other. */
function rooted({ json, definitions }: Schema<unknown>): object {
  const name = typeof json['$ref'] === 'string' ? json['$ref'].split('/').at(-1) : undefined
  const root = name === undefined ? json : (definitions[name] ?? {})
  return within({ type: 'object', ...root, ...(Object.keys(definitions).length > 0 && { $defs: definitions }) })
}

/**
 * References of the OpenAPI document, as they are in a document of their own. Many clients know JSON Schema only as of draft 7, where
 * `prefixItems` says nothing and `items: false` forbids every item; how many there are is said by `minItems` and `maxItems` too.
 */
function within(schema: object): object {
  const text = JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/$defs/')
  return JSON.parse(text, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || !('prefixItems' in member) || !('items' in member))
      return member
    const { items: _items, ...rest } = member
    return rest
  }) as object
}

function mistakesIn(given: Readonly<Record<string, unknown>>, parts: Parts): readonly Mistake[] {
  const mistakes: Mistake[] = []
  const known = parts.flatMap(([, schema]) => Object.keys(objectOf(schema).properties))
  for (const name of Object.keys(given)) {
    const advice = known.length === 0 ? 'there are no arguments' : `there are: ${known.join(', ')}`
    if (!known.includes(name)) mistakes.push({ path: name.slice(0, 100), message: `is unknown; ${advice}` })
  }
  for (const [, schema] of parts) schema.read(ownOf(given, schema), { path: '', mistakes })
  return mistakes
}

function ownOf(given: Readonly<Record<string, unknown>>, schema: Schema<unknown>): Readonly<Record<string, unknown>> {
  const names = Object.keys(objectOf(schema).properties)
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => names.includes(name) && value !== undefined),
  )
}

function addressOf(
  route: Route,
  given: Readonly<Record<string, unknown>>,
  parts: Parts,
): { readonly path: string; readonly body: unknown } {
  const of = (wanted: string): Readonly<Record<string, unknown>> => {
    const schema = parts.find(([part]) => part === wanted)?.[1]
    return schema === undefined ? {} : ownOf(given, schema)
  }
  const parameters = of('parameters')
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])))
  const query = new URLSearchParams(
    Object.entries(of('query')).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const search = query.size === 0 ? '' : `?${query.toString()}`
  return { path: `${path}${search}`, body: route.body === undefined ? undefined : of('body') }
}

function annotationsOf({ method, changes }: Route): ToolAnnotations {
  const isReading = method === 'GET' || changes === 'nothing'
  return {
    readOnlyHint: isReading,
    destructiveHint: method === 'DELETE' || method === 'PUT',
    idempotentHint: isReading || method === 'PUT' || method === 'DELETE',
    openWorldHint: false,
  }
}
