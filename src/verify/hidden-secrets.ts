import type { KeyMaterial } from './keys.ts'

/** The secrets of a source, known for one purpose only: to be taken out of texts. */
export type HiddenSecrets = {
  /** The text with `[secret]` in place of every secret. */
  readonly hide: (text: string) => string
  /** Those that are looked up become known as they are found. The oldest are forgotten. */
  readonly remember: (materials: readonly KeyMaterial[]) => void
}

/** Anything shorter could be a common word, and is no secret worth the name. */
const shortest = 8
const mostRemembered = 200

export function createHiddenSecrets(): HiddenSecrets {
  const known = new Map<KeyMaterial, readonly string[]>()
  return {
    hide(text) {
      let hidden = text
      for (const forms of known.values()) {
        for (const form of forms) if (hidden.includes(form)) hidden = hidden.replaceAll(form, '[secret]')
      }
      return hidden
    },
    remember(materials) {
      for (const material of materials) {
        if (known.has(material)) continue
        const [oldest] = known.keys()
        if (known.size >= mostRemembered && oldest !== undefined) known.delete(oldest)
        known.set(material, formsOf(material))
      }
    },
  }
}

/** How a secret may stand in a text, the longest first: as it was given, without its prefix or user name, and as programs write it. */
function formsOf(material: KeyMaterial): readonly string[] {
  const texts = typeof material === 'string' ? textForms(material) : [hex(material), base64(material)]
  const all = texts.flatMap((text) => [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text.toWellFormed()),
  ])
  return [...new Set(all)].filter((form) => form.length >= shortest).toSorted((one, other) => other.length - one.length)
}

function textForms(secret: string): readonly string[] {
  const text = secret.trim()
  // `whsec_…`, or `user:password` as it also stands in an authorization header.
  const [, rest = ''] = /^[a-z]{2,12}_(.+)$/is.exec(text) ?? []
  const [, password = ''] = /^[^:\s]+:(.+)$/s.exec(text) ?? []
  return [text, rest, password, base64(Buffer.from(text)), hex(Buffer.from(text))]
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
