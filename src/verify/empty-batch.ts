import type { Answer } from './provider.ts'
import type { Handshake } from './provider-declaration.ts'

/** Greets a batch without any event: with one a provider asks whether the address is alive. */
export function emptyBatch(listOf: (document: unknown) => unknown, answer: Answer = { status: 200 }): Handshake {
  return ({ document }) => {
    const list = listOf(document)
    return Array.isArray(list) && list.length === 0 ? answer : undefined
  }
}
