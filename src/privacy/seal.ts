import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** How what is sealed is laid out: this byte, the nonce, the tag, and the encrypted bytes. */
const layout = 1
const overhead = 1 + nonceBytes + tagBytes

/**
 * Encrypts with a fresh nonce. The context is not stored but has to be the same when it is opened, so that what is sealed for one place
 * cannot be moved to another.
 */
export function seal(key: KeyObject, plain: Uint8Array, context: readonly string[]): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(additionalData(context))
  const encrypted = cipher.update(plain)
  cipher.final()
  return Buffer.concat([Buffer.of(layout), nonce, cipher.getAuthTag(), encrypted])
}

/** Undefined if it was sealed with another key or context, or was changed since. */
export function open(key: KeyObject, sealed: Uint8Array, context: readonly string[]): Buffer | undefined {
  if (sealed.length < overhead || sealed[0] !== layout) return undefined
  const nonce = sealed.subarray(1, 1 + nonceBytes)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(additionalData(context))
  decipher.setAuthTag(sealed.subarray(1 + nonceBytes, overhead))
  const plain = decipher.update(sealed.subarray(overhead))
  try {
    decipher.final()
    return plain
  } catch {
    return undefined
  }
}

/** As JSON, so that no two contexts look the same. */
function additionalData(context: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(['oncehook', layout, ...context]))
}
