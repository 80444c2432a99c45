import { parametersOf } from './find-route.ts'
import { refusalCodes } from './refusal.ts'
import type { Route } from './route.ts'
import type { JsonSchema, Members } from './schema.ts'

/** The description of all routes that clients can be made from. */
export function openApiDocument(routes: readonly Route[], version: string): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Oncehook',
      version,
      description:
        'Every list is `{ items, next }`: ask again with `cursor` set to `next` until it is null. Times are ISO 8601, ids are texts, ' +
        'bytes are base64. `x-role` of a call is the least role that may make it.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }, { session: [], csrf: [] }],
    tags: [...new Set(routes.map(tagOf))].toSorted().map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...definitionsOf(routes), Error: errorSchema },
      responses: {
        Refused: {
          description: 'The call was not answered; the message says why.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: { type: 'apiKey', in: 'cookie', name: 'oncehook_session' },
        csrf: { type: 'apiKey', in: 'header', name: 'x-oncehook-csrf' },
      },
    },
  }
}

const errorSchema: JsonSchema = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: refusalCodes },
        message: { type: 'string' },
        details: {
          type: 'array',
          items: {
            type: 'object',
            properties: { path: { type: 'string' }, message: { type: 'string' } },
            required: ['path', 'message'],
            additionalProperties: false,
          },
        },
      },
      required: ['code', 'message'],
      additionalProperties: false,
    },
  },
  required: ['error'],
  additionalProperties: false,
}

function operationOf(route: Route): JsonSchema {
  const { name, summary, role, query, parameters, body, changes } = route
  return {
    operationId: name,
    summary,
    tags: [tagOf(route)],
    'x-role': role,
    ...(changes !== 'nothing' && { 'x-audit': changes.action }),
    ...(role === 'anyone' && { security: [] }),
    parameters: [
      ...parametersOf(route.path).map((parameter) => parameterOf(parameter, parameters?.members, 'path')),
      ...Object.keys(query?.members ?? {}).map((parameter) => parameterOf(parameter, query?.members, 'query')),
    ],
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: body.json } } },
    }),
    responses: { ...successOf(route), default: { $ref: '#/components/responses/Refused' } },
  }
}

function successOf({ answer, events, status, summary }: Route): JsonSchema {
  if (events !== undefined) {
    const content = { 'text/event-stream': { schema: { type: 'string' } } }
    return { '200': { description: 'A stream of server-sent events.', content } }
  }
  if (answer === undefined) return { '204': { description: 'Done.' } }
  return { [String(status ?? 200)]: { description: summary, content: { 'application/json': { schema: answer.json } } } }
}

function parameterOf(name: string, members: Members | undefined, place: 'path' | 'query'): JsonSchema {
  const schema = members?.[name]
  const isList = schema?.json['type'] === 'array'
  return {
    name,
    in: place,
    required: place === 'path' || schema?.isOptional !== true,
    schema: schema?.json ?? { type: 'string' },
    // Values between commas, not one parameter for each.
    ...(isList && { style: 'form', explode: false }),
  }
}

function tagOf({ path }: Route): string {
  return path.split('/')[1] ?? ''
}

function definitionsOf(routes: readonly Route[]): Readonly<Record<string, JsonSchema>> {
  const schemas = routes.flatMap(({ answer, body, query }) => [answer, body, query].flatMap((schema) => schema ?? []))
  return Object.assign({}, ...schemas.map(({ definitions }) => definitions)) as Readonly<Record<string, JsonSchema>>
}
