import { createPrivateKey, createPublicKey, createSecretKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { decodeStrictly } from './bytes.ts'

/** Key material as a user hands it in. */
export type KeyMaterial = string | Uint8Array

/** Reads key material. The answer is a `KeyObject`, which no log can print, or what is wrong, without the material. */
export type KeyFormat = (material: KeyMaterial) => KeyObject | KeyMistake

/** Why key material cannot be used. */
export type KeyMistake = { readonly mistake: string }

/** The characters of the secret are the key. */
export const utf8Secret: KeyFormat = (material) => createSecretKey(bytesOf(material))

/** The secret is base64, after a prefix such as `whsec_`. */
export function base64Secret({ prefix = '' }: { readonly prefix?: string } = {}): KeyFormat {
  return (material) => {
    if (typeof material !== 'string') return createSecretKey(material)
    const key = decodeStrictly(withoutPrefix(material, prefix), 'base64')
    return key === undefined
      ? {
          mistake: `is not base64${prefix === '' ? '' : ` after "${prefix}"`}: copy it whole, without quotes or spaces`,
        }
      : createSecretKey(key)
  }
}

/** The secret is written in hexadecimal digits. */
export const hexSecret: KeyFormat = (material) => {
  if (typeof material !== 'string') return createSecretKey(material)
  const key = decodeStrictly(material, 'hex_any_case')
  return key === undefined ? { mistake: 'is not hexadecimal: copy it whole' } : createSecretKey(key)
}

/** A public key as PEM, a certificate as PEM, a JSON Web Key, or the base64 of a DER public key. */
export const anyPublicKey: KeyFormat = (material) => {
  try {
    if (isJwk(material)) return createPublicKey({ key: JSON.parse(material) as JsonWebKey, format: 'jwk' })
    return createPublicKey(isPem(material) ? material : { key: derOf(material), format: 'der', type: 'spki' })
  } catch {
    return { mistake: 'is not a public key: give PEM, a PEM certificate, a JSON Web Key, or base64 of the DER form' }
  }
}

/** A private key as PEM or the base64 of its DER form. */
export const anyPrivateKey: KeyFormat = (material) => {
  try {
    return createPrivateKey(isPem(material) ? material : { key: derOf(material), format: 'der', type: 'pkcs8' })
  } catch {
    return { mistake: 'is not a private key: give PEM, or base64 of the DER form' }
  }
}

/** An Ed25519 public key: 32 bytes in hex or base64, after a prefix if there is one; or PEM. */
export function ed25519PublicKey({ prefix = '' }: { readonly prefix?: string } = {}): KeyFormat {
  return (material) => {
    const raw = rawBytes(material, prefix)
    if (raw?.length !== 32) return onlyEd25519(anyPublicKey(material), 'is not an Ed25519 public key of 32 bytes')
    return anyPublicKey(Buffer.concat([ed25519SpkiStart, raw]))
  }
}

/** An Ed25519 private key: its seed of 32 bytes (or seed and public key, 64) in hex or base64; or PEM. */
export function ed25519PrivateKey({ prefix = '' }: { readonly prefix?: string } = {}): KeyFormat {
  return (material) => {
    const raw = rawBytes(material, prefix)
    if (raw?.length !== 32 && raw?.length !== 64) {
      return onlyEd25519(anyPrivateKey(material), 'is not an Ed25519 private key of 32 or 64 bytes')
    }
    return anyPrivateKey(Buffer.concat([ed25519Pkcs8Start, raw.subarray(0, 32)]))
  }
}

/** True for what a `KeyFormat` could not read. */
export function isKeyMistake(key: KeyObject | KeyMistake): key is KeyMistake {
  return 'mistake' in key
}

/** The fixed opening of the DER form (RFC 8410); the raw key follows it. */
const ed25519SpkiStart = Buffer.from('302a300506032b6570032100', 'hex')
const ed25519Pkcs8Start = Buffer.from('302e020100300506032b657004220420', 'hex')

function onlyEd25519(key: KeyObject | KeyMistake, mistake: string): KeyObject | KeyMistake {
  return isKeyMistake(key) || key.asymmetricKeyType !== 'ed25519' ? { mistake } : key
}

function rawBytes(material: KeyMaterial, prefix: string): Buffer | undefined {
  if (typeof material !== 'string') return Buffer.from(material)
  const text = withoutPrefix(material, prefix)
  return decodeStrictly(text, 'hex_any_case') ?? decodeStrictly(text, 'base64')
}

function isPem(material: KeyMaterial): material is string {
  return typeof material === 'string' && material.includes('-----BEGIN')
}

function isJwk(material: KeyMaterial): material is string {
  return typeof material === 'string' && material.trimStart().startsWith('{')
}

function derOf(material: KeyMaterial): Buffer {
  return typeof material === 'string' ? Buffer.from(material, 'base64') : Buffer.from(material)
}

function withoutPrefix(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text.slice(prefix.length) : text
}

function bytesOf(material: KeyMaterial): Uint8Array {
  return typeof material === 'string' ? Buffer.from(material, 'utf8') : material
}
