import { resign } from '../capture/resign.ts'
import type { ForwardOptions } from '../forward/forward.ts'
import type { Provider } from '../index.ts'

/** Of the connection, or ours to say. */
const neverSigned =
  /^(?:host|content-length|content-type|user-agent|connection|transfer-encoding|idempotency-key|oncehook-.*)$/

/**
 * Signs what is forwarded as its provider would, with the secret of the source: signatures are never stored, and the app at the other end
 * verifies as it does in production. Where that cannot be done (only a public key is known, or the body itself carries the proof) the
 * request goes unsigned, with its exact bytes.
 */
export function signAsProviders(providers: Readonly<Record<string, Provider>>): NonNullable<ForwardOptions['sign']> {
  return ({ event, url, headers, at }) => {
    const provider = providers[event.source]
    if (provider === undefined) return {}
    const request = { method: 'POST', url: url.href, headers: [...event.headers], content: event.body }
    try {
      const signed = resign(provider, request, at)
      if (!Buffer.from(signed.content).equals(event.body)) return {}
      const changed = signed.headers.filter(([name, value]) => !neverSigned.test(name) && headers[name] !== value)
      return Object.fromEntries(changed)
    } catch {
      return {}
    }
  }
}
