import { decompress, encodingOf } from '../delivery/decompress.ts'
import { type DeliveryInput, toDeliveryHeaders } from '../delivery/delivery.ts'
import type { Door } from '../delivery/door.ts'
import { defaultReadSeconds, readWebBody } from '../delivery/read-body.ts'
import type { Shadow } from '../shadow/shadow.ts'
import { checkSource } from './shadow-source.ts'

export type ShadowFetchOptions<Rest extends readonly unknown[]> = {
  readonly door: Door
  readonly shadow: Pick<Shadow, 'begin'>
  readonly source: string
  /** The handler that is watched. */
  readonly handler: (request: Request, ...rest: Rest) => Response | Promise<Response>
}

/** Runs the other handler with all that it is given, and gives back what it gave: its response, or its error. */
export function createShadowFetch<Rest extends readonly unknown[]>(
  options: ShadowFetchOptions<Rest>,
): (request: Request, ...rest: Rest) => Promise<Response> {
  const { door, shadow, source, handler } = options
  checkSource(door, source)
  return async (request, ...rest) => {
    const call = shadow.begin(source)
    // The copy is read on the side. Whatever becomes of it, the handler has the request itself.
    readCopy(door, source, request).then(call.delivered, () => call.delivered(undefined))
    try {
      const response = await handler(request, ...rest)
      call.ended({ ending: 'answered', ...statusOf(response) })
      return response
    } catch (error) {
      call.ended({ ending: 'failed' })
      throw error
    }
  }
}

/** A handler may give anything back: that is between it and whoever calls it. */
function statusOf(response: unknown): { readonly status?: number } {
  const status = (response as { readonly status?: unknown } | null | undefined)?.status
  return typeof status === 'number' ? { status } : {}
}

/** Undefined where the bytes cannot be had. May reject. */
async function readCopy(door: Door, source: string, request: Request): Promise<DeliveryInput | undefined> {
  const settings = door.settingsOf(source)
  if (settings === undefined || request.bodyUsed || request.body?.locked === true) return undefined
  const { method, url } = request
  const headers = toDeliveryHeaders(request.headers)
  const encoding = encodingOf(headers, settings.decompress)
  if (encoding.kind === 'unsupported_encoding') return undefined
  const { maximumBodyBytes: limitBytes } = settings
  const announcedLength = request.headers.get('content-length') ?? undefined
  const read = await readWebBody(request.clone().body, { limitBytes, readSeconds: defaultReadSeconds, announcedLength })
  if (read.kind !== 'complete') return undefined
  const plain = encoding.kind === 'plain' ? read : await decompress(read.body, encoding.unpack, limitBytes)
  return plain.kind === 'complete' ? { method, url, headers, body: plain.body } : undefined
}
