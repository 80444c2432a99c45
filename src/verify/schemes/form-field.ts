import type { Delivery } from '../../delivery/delivery.ts'
import { readIncoming } from '../incoming.ts'
import type { Scheme } from '../scheme.ts'

/** A scheme whose sender signs the text inside one field, where the body is a form. The other fields prove nothing. */
export function overFormField(name: string, scheme: Scheme): Scheme {
  const signed = (delivery: Delivery): Delivery => {
    const incoming = readIncoming(delivery)
    return incoming.isForm ? { ...delivery, body: Buffer.from(incoming.form.get(name) ?? '', 'utf8') } : delivery
  }
  return {
    ...scheme,
    describe: `${scheme.describe}; of a form, over its field ${name}`,
    read: (delivery) => scheme.read(signed(delivery)),
    sign: (delivery, key, at) => ({ ...scheme.sign(signed(delivery), key, at), body: delivery.body }),
  }
}
