import type { SignatureFormat } from './signature-format.ts'

/** A list in which no signature stands twice: such a list is one header that was sent twice and joined on the way. */
export function eachOnce(format: SignatureFormat): SignatureFormat {
  return {
    ...format,
    read: (text) => {
      const header = format.read(text)
      if (header.kind !== 'read') return header
      const distinct = new Set(header.signatures.map(({ bytes }) => Buffer.from(bytes).toString('hex')))
      return distinct.size < header.signatures.length ? { kind: 'malformed' } : header
    },
  }
}
