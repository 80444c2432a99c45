import { type Delivery, firstHeader } from '../../delivery/delivery.ts'
import type { Scheme } from '../scheme.ts'

/**
 * Several ways of one provider to prove itself with the same key: the first whose header is present decides, alone.
 * The first one signs. Only for schemes that read their keys alike.
 */
export function firstOf(schemes: readonly [Scheme, ...Scheme[]]): Scheme {
  const [first] = schemes
  const chosen = (delivery: Delivery): Scheme =>
    schemes.find(({ headers: [header = ''] }) => firstHeader(delivery.headers, header) !== undefined) ?? first
  return {
    ...first,
    describe: schemes.map(({ describe }) => describe).join('; or '),
    headers: [...new Set(schemes.flatMap(({ headers }) => headers))],
    proofHeaders: [...new Set(schemes.flatMap(({ proofHeaders }) => proofHeaders))],
    proofPaths: schemes.flatMap(({ proofPaths = [] }) => proofPaths),
    isBodySigned: schemes.every(({ isBodySigned }) => isBodySigned),
    isUrlSigned: schemes.some(({ isUrlSigned }) => isUrlSigned),
    weaknesses: schemes.flatMap(({ weaknesses = [] }) => weaknesses),
    read: (delivery) => chosen(delivery).read(delivery),
  }
}
