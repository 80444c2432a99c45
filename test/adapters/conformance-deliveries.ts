import type { Delivery } from '../../src/index.ts'
import { conformanceSources, type SourceName } from './conformance-sources.ts'
import type { RequestToSend } from './served.ts'

/** A signed request, as it goes over the wire. */
export function signedRequest(
  source: SourceName,
  event: { readonly id?: string; readonly body?: Uint8Array | string; readonly url?: string },
  path = `/webhooks/${source}`,
): RequestToSend & { readonly body: Uint8Array } {
  return asRequest(conformanceSources[source].sign({ ...event, type: 'thing.changed' }, new Date()), path)
}

/** The same request, its body in chunks and without an announced length. */
export function inChunks(request: RequestToSend & { readonly body: Uint8Array }, chunkBytes = 65_536): RequestToSend {
  const { body } = request
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < body.length; start += chunkBytes) yield body.subarray(start, start + chunkBytes)
  }
  return { ...request, body: pieces() }
}

/** The same request with another last byte, so that its signature is none. */
export function tampered(request: RequestToSend & { readonly body: Uint8Array }): RequestToSend {
  const body = Buffer.from(request.body)
  body.writeUInt8(body.readUInt8(body.length - 1) ^ 1, body.length - 1)
  return { ...request, body }
}

function asRequest({ method, headers, body }: Delivery, path: string): RequestToSend & { readonly body: Uint8Array } {
  const pairs = [...headers].map(([name, values]): [string, string] => [name, values.join(', ')])
  return { method, path, headers: Object.fromEntries(pairs), body }
}
