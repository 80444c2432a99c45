import { connect } from 'node:net'

const patienceMilliseconds = 5_000

/** Why nobody can be reached at the address, in a sentence; undefined if somebody listens there. */
export async function whyUnreachable(url: string): Promise<string | undefined> {
  const { protocol, hostname, port, origin } = new URL(url)
  const code = await connectionError({
    // An IPv6 address stands in brackets in a URL, and without them in a connection.
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  })
  switch (code) {
    case undefined:
      return undefined
    case 'ECONNREFUSED':
      return `Nobody listens at ${origin}. Start the endpoint first.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host of ${origin} is not known.`
    default:
      return `${origin} cannot be reached (${code}).`
  }
}

function connectionError(address: { readonly host: string; readonly port: number }): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(address)
    const settle = (code: string | undefined): void => {
      socket.destroy()
      resolve(code)
    }
    socket.setTimeout(patienceMilliseconds, () => settle('no answer'))
    socket.once('connect', () => settle(undefined))
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message))
  })
}
