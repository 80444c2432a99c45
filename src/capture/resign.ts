import type { HeaderPair } from '../store/capture-store.ts'
import type { Provider } from '../verify/provider.ts'

/** A request whose signature is made anew. */
export type Signable = {
  readonly method: string
  readonly url: string
  readonly headers: readonly HeaderPair[]
  readonly content: Uint8Array
}

/** The same request as the provider would send it now. Throws `ONCEHOOK_CANNOT_SIGN` where only a public key is known. */
export function resign(provider: Provider, request: Signable, at: Date): Pick<Signable, 'headers' | 'content'> {
  const proof = new Set(provider.proof.headers)
  const kept = request.headers.filter(([name]) => !proof.has(name.toLowerCase()))
  const signed = provider.sign(
    {
      method: request.method,
      url: provider.settings.publicUrl ?? request.url,
      headers: Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), value])),
      body: request.content,
    },
    at,
  )
  const headers = [...signed.headers].flatMap(([name, values]) => values.map((value): HeaderPair => [name, value]))
  return { headers, content: signed.body }
}
