import type { AddressInfo } from 'node:net'
import type { WebhookServer } from '../adapters/webhook-server.ts'
import { failed, systemCodeOf } from './failure.ts'

export type PortChoice = {
  readonly host: string
  readonly port: number
  /** `fixed`: somebody asked for this port. `preferred`: any near it will do. */
  readonly kind: 'fixed' | 'preferred'
}

/** How many ports after a preferred one are tried. */
const portsToTry = 50

/** Listens, on the next free port where the preferred one is taken. */
export async function listenNear(create: () => WebhookServer, choice: PortChoice): Promise<Listening> {
  const { host, port, kind } = choice
  const last = kind === 'fixed' ? port : Math.min(65_535, port + portsToTry)
  for (let next = port; next <= last; next += 1) {
    const server = create()
    try {
      return { server, address: await server.listen({ host, port: next }) }
    } catch (error) {
      if (systemCodeOf(error) !== 'EADDRINUSE') throw cannotListen(host, next, error)
    }
  }
  const free = kind === 'fixed' ? await freePortAfter(create, choice) : undefined
  throw failed(
    `Port ${port} of ${host} is in use by another program. ` +
      (free === undefined ? 'Give another one with --port.' : `Port ${free} is free: start again with --port ${free}.`),
  )
}

export type Listening = { readonly server: WebhookServer; readonly address: AddressInfo }

/** The address to call for a server that listens on a host. */
export function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
  return `http://${reachable}:${port}`
}

/** Whether only this machine can reach it. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

async function freePortAfter(create: () => WebhookServer, { host, port }: PortChoice): Promise<number | undefined> {
  if (port >= 65_535) return undefined
  try {
    const { server, address } = await listenNear(create, { host, port: port + 1, kind: 'preferred' })
    await server.close(0)
    return address.port
  } catch {
    return undefined
  }
}

function cannotListen(host: string, port: number, error: unknown): Error {
  const code = systemCodeOf(error)
  if (code === 'EACCES')
    return failed(
      `Port ${port} may only be used by the system's administrator. Give one above 1023 with --port.`,
      error,
    )
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return failed(`${host} is not an address of this machine. Give another one with --host.`, error)
  return failed(`Cannot listen on ${host}:${port} (${code ?? 'unknown reason'}).`, error)
}
