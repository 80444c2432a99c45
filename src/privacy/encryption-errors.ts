import { OncehookError } from '../errors.ts'

/** The key may be there in a moment: what needs it waits, and counts no failure. */
export function keyUnavailable(keyId: string, why: string, cause?: unknown): OncehookError {
  return new OncehookError(
    'ONCEHOOK_ENCRYPTION_KEY_UNAVAILABLE',
    `What is stored here is encrypted with the key "${keyId}", ${why}`,
    cause === undefined ? {} : { cause },
  )
}

/** For a process whose inbox was made without the option. */
export function keyNotGiven(keyId: string): OncehookError {
  return keyUnavailable(keyId, 'and this inbox has no option "encryption": give it the key.')
}

/** Another key under the same id and a changed row look the same. */
export function cannotDecrypt(what: string, keyId: string): OncehookError {
  return new OncehookError(
    'ONCEHOOK_CANNOT_DECRYPT',
    `${what} cannot be decrypted with the key "${keyId}": the key is not the one it was encrypted with, or the row was changed or moved. ` +
      'Nothing of it was used. Give the right key and replay, or restore the row from a backup.',
  )
}
