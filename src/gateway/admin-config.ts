import { type AdminToken, type Authorize, isLoopbackHost, mistakesInAuthentication } from '../admin/create-admin.ts'

/** The dashboard and the API of the gateway. */
export type AdminConfig = {
  /** A port of its own, on which no webhooks are taken. Default: the one of the webhooks. */
  readonly port?: number
  /** With `port`: where to listen. Default 127.0.0.1. */
  readonly host?: string
  /** Who may log in: `[{ name, role, token }]`. Needed wherever others than this machine can reach it, unless `authorize` is given. */
  readonly tokens?: readonly AdminToken[]
  /** Your own way to tell who calls: `{ name, role }`, or undefined for nobody. */
  readonly authorize?: Authorize
  /** Nobody may change anything. Default false. */
  readonly readOnly?: boolean
  /** After so many hours one has to log in again. Default 12. */
  readonly sessionHours?: number
}

/** What can be set. */
export const adminSettings: readonly string[] = ['port', 'host', 'tokens', 'authorize', 'readOnly', 'sessionHours']

/** Every mistake but unknown names and the port, each by the path of the setting. `serverHost` is where webhooks are taken. */
export function adminMistakes(given: Readonly<Record<string, unknown>>, serverHost: unknown): readonly string[] {
  const { host, port, readOnly } = given
  const { tokens, authorize, sessionHours } = given as AdminConfig
  const listensAt = port === undefined ? serverHost : host
  // One that is no text is a mistake of its own.
  const isLocal = typeof listensAt !== 'string' || isLoopbackHost(listensAt)
  return [
    ...(host !== undefined && typeof host !== 'string' ? ['admin.host is not a text.'] : []),
    ...(host !== undefined && port === undefined
      ? ['admin.host needs admin.port: without it the server’s own is used.']
      : []),
    ...(readOnly === undefined || typeof readOnly === 'boolean' ? [] : ['admin.readOnly is not true or false.']),
    ...mistakesInAuthentication({ tokens, authorize, sessionHours, isOpenOnLoopback: isLocal }, 'admin.'),
  ]
}
