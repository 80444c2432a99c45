import type { KeyObject } from 'node:crypto'
import type { Delivery } from '../../src/delivery/delivery.ts'
import type { FetchText } from '../../src/verify/fetched-keys.ts'
import type { Provider } from '../../src/verify/provider.ts'
import type { Verdict } from '../../src/verify/verdict.ts'

/** Plays a provider's key server, and remembers what it was asked. */
export function keyServer(answer: (address: string) => string): {
  readonly asked: readonly { readonly address: string; readonly body: string | undefined }[]
  readonly fetchText: FetchText
} {
  const asked: { readonly address: string; readonly body: string | undefined }[] = []
  const fetchText: FetchText = (address, { body }) => {
    asked.push({ address, body })
    return Promise.resolve(answer(address))
  }
  return { asked, fetchText }
}

/** The verdict, once the keys were fetched. */
export async function judge(source: Provider, delivery: Delivery, at: Date): Promise<Verdict> {
  return source.verify(delivery, at, await source.secretsFor(delivery))
}

/** A key as PEM. */
export function pem(key: KeyObject): string {
  return key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }).toString()
}
