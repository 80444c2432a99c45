import { createHash } from 'node:crypto'

/** What a signed body is remembered by. A tenant signs with a secret of its own, so nobody else's body can be equal to its. */
export type SignedKeyParts = {
  readonly environment: string
  readonly source: string
  readonly tenant: string | undefined
  /** SHA-256 of the body. */
  readonly bodyHash: Uint8Array
}

/** Equal for equal bodies of one environment, source and tenant: 32 bytes. */
export function createSignedKey({ environment, source, tenant, bodyHash }: SignedKeyParts): Uint8Array {
  const scope = JSON.stringify([environment, source, tenant ?? null])
  return createHash('sha256').update(scope).update(bodyHash).digest()
}
