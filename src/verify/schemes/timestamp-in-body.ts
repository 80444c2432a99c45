import type { Delivery } from '../../delivery/delivery.ts'
import { withField } from '../field-place.ts'
import { parseJson } from '../json.ts'
import { field, isObject } from '../object.ts'
import { idText } from '../safe-id.ts'
import type { Scheme } from '../scheme.ts'
import { type SignatureOptions, signature } from './signature.ts'

/** A signature over a JSON body that holds the moment of sending, in milliseconds. Signing writes the moment into the body. */
export function signatureWithTimestampInBody({
  timestampField,
  ...options
}: Pick<SignatureOptions, 'header' | 'format' | 'toleranceSeconds'> & { readonly timestampField: string }): Scheme {
  const stampOf = (delivery: Delivery): string | undefined => idText(field(documentOf(delivery), timestampField))

  const stamped = (delivery: Delivery, at: Date): Delivery => {
    const document = documentOf(delivery)
    // A body that holds this moment already is sent byte for byte.
    if (!isObject(document) || stampOf(delivery) === String(at.getTime())) return delivery
    const body = JSON.stringify(withField(document, timestampField, at.getTime()))
    return { ...delivery, body: Buffer.from(body, 'utf8') }
  }

  const scheme = signature({ ...options, timestampUnit: 'milliseconds', timestampIn: stampOf })
  return {
    ...scheme,
    describe: `${scheme.describe}, with its time in the body field "${timestampField}"`,
    sign: (delivery, key, at) => scheme.sign(stamped(delivery, at), key, at),
  }
}

function documentOf({ body }: Delivery): unknown {
  const parsed = parseJson(body, 'plain')
  return parsed.kind === 'parsed' ? parsed.document : undefined
}
