import { type HmacHash, hmac as hmacAlgorithm } from '../verify/algorithms/hmac.ts'
import type { Encoding } from '../verify/bytes.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { type GenericOptions, genericOptions, genericProvider } from '../verify/generic-provider.ts'
import { base64Secret, hexSecret, utf8Secret } from '../verify/keys.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'
import type { TimestampUnit } from '../verify/timestamp.ts'

/** How an unknown sender signs, and where its ids are. */
export type HmacOptions = GenericOptions & {
  /** The header with the signature. */
  readonly header: string
  /** What stands before the signature, such as `sha256=`. */
  readonly prefix?: string | undefined
  /** Default `hex`. */
  readonly encoding?: Encoding | undefined
  /** Default `sha256`. */
  readonly algorithm?: HmacHash | undefined
  /** What is signed: `{body}`, and around it `{timestamp}`, `{id}`, `{url}` or `{method}`. Default `{body}`. */
  readonly template?: string | undefined
  readonly timestampHeader?: string | undefined
  readonly timestampUnit?: TimestampUnit | undefined
  /** The header with the `{id}` of the template. */
  readonly idHeader?: string | undefined
  /** How the secret is written. Default `utf8`: its characters are the key. */
  readonly secretEncoding?: 'utf8' | 'base64' | 'hex' | undefined
}

const secretFormats = { utf8: utf8Secret, base64: base64Secret(), hex: hexSecret }

/** Any sender with an HMAC in a header. Every option that decides about identity has to be given. */
export const hmac: (options: ProviderOptions & HmacOptions) => Provider = defineProvider<HmacOptions>((options) => {
  const { template = '{body}', timestampHeader, idHeader } = options
  const header = (options.header as string | undefined) ?? ''
  const isTimed = template.includes('{timestamp}')
  return genericProvider(options, {
    name: 'hmac',
    title: 'HMAC',
    isIdSigned: isIdInTemplate(options),
    scheme: signature({
      header: header.toLowerCase(),
      format: plain({
        algorithm: hmacAlgorithm(options.algorithm ?? 'sha256'),
        encoding: options.encoding ?? 'hex',
        prefix: options.prefix ?? '',
      }),
      over: template,
      timestampUnit: options.timestampUnit ?? 'seconds',
      secret: secretFormats[options.secretEncoding ?? 'utf8'],
      ...(timestampHeader === undefined ? {} : { timestampHeader: timestampHeader.toLowerCase() }),
      ...(idHeader === undefined ? {} : { idHeader: idHeader.toLowerCase() }),
      ...(isTimed ? { toleranceSeconds: 300 } : {}),
    }),
    ownOptions: {
      ...genericOptions,
      header: 'the header with the signature',
      prefix: 'what stands before the signature',
      encoding: 'how it is written: hex, base64 or base64url',
      algorithm: 'sha1, sha256, sha384 or sha512',
      template: 'what is signed: {body}, and around it {timestamp}, {id}, {url} or {method}',
      timestampHeader: 'the header with the {timestamp}',
      timestampUnit: 'seconds, milliseconds or iso8601',
      idHeader: 'the header with the {id}',
      secretEncoding: 'utf8, base64 or hex',
    },
    mistakes: [
      ...(header === '' ? ['"header" is missing: the header with the signature.'] : []),
      ...(template.includes('{body}')
        ? []
        : ['"template" must hold {body}: a signature that leaves the body out protects nothing.']),
      ...(isTimed === (timestampHeader !== undefined)
        ? []
        : ['"timestampHeader" and {timestamp} in "template" go together.']),
      ...(template.includes('{id}') === (idHeader !== undefined)
        ? []
        : ['"idHeader" and {id} in "template" go together.']),
    ],
  })
})

/** The id is a header of its own, and that header is part of what is signed. */
function isIdInTemplate({ id, idHeader, template = '{body}' }: HmacOptions): boolean {
  const place = id as HmacOptions['id'] | undefined
  return (
    place !== undefined &&
    'header' in place &&
    template.includes('{id}') &&
    place.header.toLowerCase() === idHeader?.toLowerCase()
  )
}
