import type { HeaderPair } from '../store/capture-store.ts'
import { type ExactJson, readExactJson } from './exact-json.ts'

/** A request as rules look at it. */
export type CaptureRequest = {
  readonly method: string
  /** What followed the name of the endpoint. */
  readonly path: string
  readonly query: string
  readonly headers: readonly HeaderPair[]
  readonly content: Uint8Array
  /** The body as JSON, or undefined; read when it is first asked for. */
  readonly document: () => ExactJson | undefined
}

export function captureRequest(parts: Omit<CaptureRequest, 'document'>): CaptureRequest {
  let document: { readonly value: ExactJson | undefined } | undefined
  return {
    ...parts,
    document: () => {
      document ??= { value: readExactJson(parts.content) }
      return document.value
    },
  }
}
