import type { Difference, Situation } from '../adapter.ts'
import { signatureIn } from '../mutations/signatures.ts'

export const spacesAllowed: Difference = {
  name: 'Spaces around the signature',
  reason:
    'Every HTTP server takes spaces off the ends of a header, so they mean nothing; the signature itself is the right one.',
  we: 'accept',
  isMeant: ({ mutation }) => isAround(mutation),
}

export const spacesRefused: Difference = {
  name: 'Spaces around the signature',
  reason:
    'The library trims the header. HTTP servers have done that before, so what has spaces still did not come as a header should.',
  we: 'refuse',
  isMeant: ({ mutation }) => isAround(mutation),
}

export const textAfterSignature: Difference = {
  name: 'More after the signature',
  reason: 'The library reads up to a sign that it knows and ignores the rest. We take a signature only whole.',
  we: 'refuse',
  isMeant: ({ mutation }) =>
    ['the signature with more padding', 'the signature with a character added'].includes(mutation),
}

export const repeatedHeader: Difference = {
  name: 'Signature header sent twice',
  reason:
    'No provider sends it twice, and two readers may each believe another one of them. We refuse what has two meanings.',
  we: 'refuse',
  isMeant: ({ mutation }) => mutation.startsWith('the proof sent '),
}

export const joinedHeaders: Difference = {
  name: 'Two signature headers joined',
  reason: 'What a proxy makes of a header that was sent twice. We refuse it as we refuse the two.',
  we: 'refuse',
  isMeant: ({ mutation }) => / with a (?:comma|space) between$| with a comma after it$/.test(mutation),
}

export const manySignatures: Difference = {
  name: 'More than sixteen signatures',
  reason: 'No change of secrets needs that many, and each costs a comparison. We refuse the request.',
  we: 'refuse',
  isMeant: ({ mutation }) => mutation === 'the right signature after thirty',
}

export const emptyEntry: Difference = {
  name: 'Empty signature in the list',
  reason: 'Together with the right one it looks like a header that was sent twice, which we refuse.',
  we: 'refuse',
  isMeant: ({ mutation }) => mutation === 'an empty signature before the right one',
}

export const anyOfSeveral: Difference = {
  name: 'Several signatures in one header',
  reason:
    'The library looks at one place of the header alone, or refuses a second signature. We look for a right one anywhere in the list, as where secrets are changed.',
  we: 'accept',
  isMeant: ({ mutation, proof, rightProof }) =>
    / last of | first of | twice in the list$| between$| after it$|^an empty signature before /.test(mutation) ||
    (mutation === 'the proof with another prefix' && proof.endsWith(`,${rightProof}`)),
}

export const upperCaseHex: Difference = {
  name: 'Hexadecimal digits in upper case',
  reason: 'The same bytes, in a form that the provider does not write. We take only the form that it writes.',
  we: 'refuse',
  isMeant: ({ proof, rightProof }) => proof !== rightProof && proof.toLowerCase() === rightProof.toLowerCase(),
}

export const looseBase64: Difference = {
  name: 'Base64 in another form',
  reason:
    'The library decodes it, and its decoder skips what it does not know (missing padding, stray bits, the other alphabet, line breaks). We take the one form that the provider writes.',
  we: 'refuse',
  isMeant: isSameBytes,
}

export const hexAsFarAsItGoes: Difference = {
  name: 'More after the signature',
  reason:
    'The library decodes hexadecimal digits as far as they go, and ignores what follows. We take a signature only whole.',
  we: 'refuse',
  isMeant: ({ proof, rightProof }) => proof.length > rightProof.length && proof.startsWith(rightProof),
}

export const emptyEntryAllowed: Difference = {
  name: 'Empty signature in the list',
  reason: 'The library gives up at an empty signature. We pass it over: the right one stands in the list too.',
  we: 'accept',
  isMeant: ({ mutation }) => mutation === 'an empty signature before the right one',
}

export const otherVersion: Difference = {
  name: 'Signature under another version',
  reason:
    'The library never reads the version that stands before the signature. Another version may mean another algorithm, so we do.',
  we: 'refuse',
  isMeant: ({ mutation }) => mutation.startsWith('the right signature under '),
}

export const sameTwice: Difference = {
  name: 'The same signature twice in the list',
  reason: 'Two secrets never make the same signature: it is a header that was sent twice and joined, which we refuse.',
  we: 'refuse',
  isMeant: ({ mutation }) => mutation === 'the right signature twice in the list',
}

function isSameBytes({ proof, rightProof }: Situation): boolean {
  const right = Buffer.from(signatureIn(rightProof), 'base64')
  const start = rightProof.indexOf(signatureIn(rightProof))
  return proof !== rightProof && Buffer.from(proof.slice(start), 'base64').equals(right)
}

function isAround(mutation: string): boolean {
  return ['spaces before the proof', 'spaces after the proof', 'a tab after the proof'].includes(mutation)
}
