import type { Random } from '../random.ts'
import { type Mutation, named } from './mutation.ts'

type Change = (signature: string, random: Random) => string

/** The signature itself, wherever it stands, in another form. What stands around it stays. */
export const changedSignatures: readonly Mutation[] = named<Change>(
  {
    'a character of the signature changed': (text, random) => changeAt(text, random.below(text.length), random),
    'the first character of the signature changed': (text, random) => changeAt(text, 0, random),
    'the last character of the signature changed': (text, random) => changeAt(text, lastDigit(text), random),
    'the signature cut off': (text, random) => text.slice(0, random.below(text.length)),
    'the signature without its last character': (text) => text.slice(0, -1),
    'the signature with a character added': (text, random) => text + random.pick(['0', 'a', 'Z', '=', '+']),
    'the signature with a character before it': (text, random) => random.pick(['0', 'a', 'Z', '=', '+']) + text,
    'the signature in upper case': (text) => text.toUpperCase(),
    'the signature in lower case': (text) => text.toLowerCase(),
    'the signature in the other encoding': (text) =>
      isHex(text) ? bytesOf(text).toString('base64') : bytesOf(text).toString('hex'),
    'the signature in base64url': (text) => bytesOf(text).toString('base64url'),
    'the signature without padding': (text) => text.replace(/=+$/, ''),
    'the signature with more padding': (text) => `${text}==`,
    'the signature with stray bits': strayBits,
    'the signature with an escape': (text) => text.replaceAll('+', '%2B').replaceAll('/', '%2F').replaceAll('=', '%3D'),
    'a space inside the signature': (text) => `${text.slice(0, 9)} ${text.slice(9)}`,
    'a line break inside the signature': (text) => `${text.slice(0, 9)}\n${text.slice(9)}`,
    'the signature in quotes': (text) => `"${text}"`,
    'the signature backwards': (text) => Array.from(text).toReversed().join(''),
    'a signature of zeros': (text) => encodedLike(text, Buffer.alloc(bytesOf(text).length)),
    'a signature by chance': (text, random) => encodedLike(text, random.bytes(bytesOf(text).length)),
    'half a signature': (text) => encodedLike(text, bytesOf(text).subarray(0, bytesOf(text).length / 2)),
    'a signature that is empty': () => '',
    'a signature that is a word': (_text, random) =>
      random.pick(['null', 'undefined', '0', 'true', '[object Object]', '__proto__']),
  },
  (change) => ({
    change: (delivery, random, { adapter: { proof } }) =>
      proof.write(
        delivery,
        withSignature(proof.read(delivery), (text) => change(text, random)),
      ),
  }),
)

/** The whole value that carries the signature: absent, empty, or with something around it. */
export const changedProofs: readonly Mutation[] = named<(value: string, random: Random) => string | undefined>(
  {
    'no proof': () => undefined,
    'an empty proof': () => '',
    'a proof of spaces': () => '   ',
    'spaces before the proof': (value) => `  ${value}`,
    'spaces after the proof': (value) => `${value}  `,
    'a tab after the proof': (value) => `${value}\t`,
    'the proof with another prefix': (value, random) => {
      const prefix = random.pick([
        'sha1=',
        'sha256=',
        'SHA256=',
        'v0=',
        'v1=',
        'v2=',
        'V1=',
        'v1,',
        'v2,',
        'Basic ',
        'Bearer ',
      ])
      return prefix + signatureIn(value)
    },
    'the proof without its prefix': signatureIn,
    'the proof in upper case': (value) => value.toUpperCase(),
    'the proof with a comma after it': (value) => `${value},`,
    'the proof with a semicolon after it': (value) => `${value};`,
    'the proof after a wrong one, with a comma between': (value, random) => `${wrong(value, random)},${value}`,
    'the proof before a wrong one, with a comma between': (value, random) => `${value},${wrong(value, random)}`,
    'the proof after a wrong one, with a space between': (value, random) => `${wrong(value, random)} ${value}`,
    'the proof before a wrong one, with a space between': (value, random) => `${value} ${wrong(value, random)}`,
  },
  (change) => ({
    change: (delivery, random, { adapter: { proof } }) => proof.write(delivery, change(proof.read(delivery), random)),
  }),
)

const longRun = /[A-Za-z0-9+/_-]{16,}={0,2}/g

/** The signature inside a value: its last long run of digits or letters. */
export function signatureIn(value: string): string {
  return [...value.matchAll(longRun)].at(-1)?.[0] ?? value
}

/** A value with another signature in the place of its own. */
export function withSignature(value: string, change: (signature: string) => string): string {
  const signature = signatureIn(value)
  const start = value.lastIndexOf(signature)
  return value.slice(0, start) + change(signature) + value.slice(start + signature.length)
}

/** The value with a signature that nobody made. */
export function wrong(value: string, random: Random): string {
  return withSignature(value, (text) => encodedLike(text, random.bytes(bytesOf(text).length)))
}

function isHex(text: string): boolean {
  return /^[0-9a-f]+$/i.test(text)
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text, isHex(text) ? 'hex' : 'base64')
}

function encodedLike(text: string, bytes: Buffer): string {
  if (isHex(text)) return bytes.toString('hex')
  return bytes.toString(/[-_]/.test(text) ? 'base64url' : 'base64')
}

function lastDigit(text: string): number {
  return text.replace(/=+$/, '').length - 1
}

function changeAt(text: string, index: number, random: Random): string {
  const digits = isHex(text) ? '0123456789abcdef' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  const others = Array.from(digits).filter((digit) => digit !== text[index])
  return text.slice(0, index) + random.pick(others) + text.slice(index + 1)
}

/** The same bytes, for a decoder that does not look closely: the bits that the padding cuts off are set. */
function strayBits(text: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const index = lastDigit(text)
  if (isHex(text) || !text.endsWith('=')) return `${text}\u00e9`
  return text.slice(0, index) + digits[digits.indexOf(text[index] ?? '') | 1] + text.slice(index + 1)
}
