import type { Delivery } from '../../delivery/delivery.ts'
import type { Algorithm } from '../algorithms/algorithm.ts'
import { decodeStrictly, encode } from '../bytes.ts'
import { readForm } from '../form.ts'
import type { KeyFormat } from '../keys.ts'
import { type Proof, type Refusal, refuse, type Scheme } from '../scheme.ts'

/** A form with two fields: base64 text, and a list of `key name|hex signature` with `&` between. */
export type SignedFormFieldOptions = {
  readonly signatureField: string
  readonly contentField: string
  readonly algorithm: Algorithm
  readonly secret: KeyFormat
  /** The names of our own keys; what was signed with others' is passed over. The first signs. */
  readonly keyNames: readonly string[]
}

/** More than an account has keys; bounds what one request can make us compute. */
const mostSignatures = 16

/** A signature over one form field in another one. The content may have lost its last line break on the way. */
export function signedFormField(options: SignedFormFieldOptions): Scheme {
  const { signatureField, contentField, algorithm, secret, keyNames } = options

  const read = ({ body }: Delivery): Proof | Refusal => {
    const form = readForm(body)
    const [sent, contents] = [form.getAll(signatureField), form.getAll(contentField)]
    if (sent.length > 1 || contents.length > 1) return refuse('signature_repeated')
    const [list = ''] = sent
    const [content = ''] = contents
    if (list === '' || content === '') return refuse('signature_missing')
    const pairs = list.split('&', mostSignatures).map((pair) => pair.split('|', 3))
    if (pairs.some((pair) => pair.length !== 2) || !/^[A-Za-z0-9+/=\n]+$/.test(content))
      return refuse('signature_malformed')
    const own = pairs.filter(([name = '']) => keyNames.includes(name))
    if (own.length === 0) return refuse('secret_unknown', `"${signatureField}" holds no signature for "publicKey".`)
    const signatures = own.map(([, hex = '']) => decodeStrictly(hex, 'hex')).filter((bytes) => bytes !== undefined)
    if (signatures.length !== own.length || signatures.some(({ length }) => !algorithm.hasLength(length))) {
      return refuse('signature_malformed')
    }
    return {
      kind: 'proof',
      mismatch: 'signature_mismatch',
      isMadeWith: (key) => ['', '\n'].some((end) => algorithm.isMadeWith(key, [content, end], signatures)),
    }
  }

  return {
    describe: `${algorithm.name} over the form field "${contentField}" in the form field "${signatureField}"`,
    headers: [],
    proofHeaders: [],
    proofPaths: [signatureField],
    secret,
    isPublicKeyName: true,
    weaknesses: algorithm.weakness === undefined ? [] : [algorithm.weakness],
    isBodySigned: true,
    isUrlSigned: false,
    read,
    sign: (delivery, key) => {
      const content = readForm(delivery.body).get(contentField)
      if (content === null) return delivery
      const made = `${keyNames[0]}|${encode(algorithm.make(key, [content]), 'hex')}`
      const form = new URLSearchParams({ [signatureField]: made, [contentField]: content })
      return { ...delivery, body: Buffer.from(form.toString(), 'utf8') }
    },
  }
}
