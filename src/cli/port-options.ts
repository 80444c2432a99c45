import type { PortChoice } from './listen.ts'
import { wholeNumber } from './parse-arguments.ts'

const defaultPort = 4400

/** Where to take webhooks. */
export const portOptions = {
  port: { type: 'string', value: 'n', meaning: 'where to listen; default 4400, or the next free one' },
  host: { type: 'string', value: 'address', meaning: 'default 127.0.0.1, which only this machine can reach' },
} as const

/** What was asked for by option, then by the configuration, then the default or a port near it. */
export function portOf(
  values: { readonly port?: string | undefined; readonly host?: string | undefined },
  server: { readonly port?: number; readonly host?: string } = {},
): PortChoice {
  const port = wholeNumber('port', values.port, { atLeast: 0, atMost: 65_535 }) ?? server.port
  return {
    host: values.host ?? server.host ?? '127.0.0.1',
    port: port ?? defaultPort,
    kind: port === undefined ? 'preferred' : 'fixed',
  }
}
