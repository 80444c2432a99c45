import { randomBytes } from 'node:crypto'
import type { DeliveryInput } from '../delivery/delivery.ts'
import type { WebhookEvent } from '../effects/handler.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { Provider } from '../verify/provider.ts'
import { token as tokenScheme } from '../verify/schemes/token.ts'

/** The source that captured requests become events of, once an automation is there for their endpoint. The endpoint is their type. */
export const captureSource = 'captures'

/** A request as a capture endpoint took it. */
export type CapturedRequest = {
  readonly id: string
  readonly endpoint: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
}

const prefix = 'x-oncehook-'
const tokenHeader = `${prefix}token`
const idHeader = `${prefix}capture`
const endpointHeader = `${prefix}endpoint`
const requestHeader = `${prefix}request`

/** Larger than any capture. */
const mostBytes = 64 << 20

const defineCaptures = defineProvider({
  name: captureSource,
  title: 'Captured requests',
  scheme: tokenScheme({ header: tokenHeader }),
  idField: idHeader,
  isIdSigned: false,
  maximumBodyBytes: mostBytes,
  identify: ({ headers }) => ({ id: headers.get(idHeader), type: headers.get(endpointHeader) ?? '' }),
})

/** Nobody outside of this process knows the token, so nobody can hand in requests as captures at the door. */
export function createCaptureSource(): {
  readonly provider: Provider
  readonly deliveryOf: (capture: CapturedRequest) => DeliveryInput
} {
  const secret = randomBytes(32).toString('base64url')
  return {
    provider: defineCaptures({ secret, mode: 'queued', whenInlineFails: 'queue' }),
    deliveryOf({ id, endpoint, method, path, query, headers, body }) {
      const own = headers.filter(([name]) => !name.toLowerCase().startsWith(prefix))
      const request = encodeURIComponent(JSON.stringify({ method, path, query }))
      return {
        method: 'POST',
        url: `http://localhost/${captureSource}`,
        headers: [...own, [idHeader, id], [endpointHeader, endpoint], [requestHeader, request], [tokenHeader, secret]],
        body,
      }
    },
  }
}

/** Method, path and query of a captured request; null for other events. */
export function requestOf({ source, headers }: Pick<WebhookEvent, 'source' | 'headers'>): unknown {
  const text = source === captureSource ? headers.get(requestHeader) : undefined
  return text === undefined ? null : (JSON.parse(decodeURIComponent(text)) as unknown)
}
