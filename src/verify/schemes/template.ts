import { invalidOptions } from '../../errors.ts'
import type { SignedContent } from '../algorithms/algorithm.ts'

/** What a template can hold between braces. */
export type TemplateSlot = 'body' | 'timestamp' | 'id' | 'url' | 'method'

/** What the slots of a template are filled with. */
export type TemplateValues = Readonly<Record<Exclude<TemplateSlot, 'body'>, string>> & { readonly body: Uint8Array }

/** The signed content as a text with slots, such as `v0:{timestamp}:{body}`. */
export type Template = {
  readonly text: string
  readonly has: (slot: TemplateSlot) => boolean
  readonly fill: (values: TemplateValues) => SignedContent
}

const knownSlots: readonly string[] = ['body', 'timestamp', 'id', 'url', 'method'] satisfies TemplateSlot[]

/** Reads a template once, so that filling it is cheap. Throws on a slot that nobody fills. */
export function template(text: string): Template {
  const pieces = text.split(/(\{[^{}]*\})/).filter((piece) => piece !== '')
  const slots = new Set(pieces.map(slotOf).filter((slot) => slot !== undefined))
  const unknown = [...slots].filter((slot) => !knownSlots.includes(slot))
  if (unknown.length > 0) {
    throw invalidOptions(
      'A signature scheme',
      unknown.map((slot) => `The template has {${slot}}; known are {${knownSlots.join('}, {')}}.`),
    )
  }
  const slotsOfPieces = pieces.map(slotOf) as readonly (TemplateSlot | undefined)[]
  return {
    text,
    has: (slot) => slots.has(slot),
    fill: (values) => {
      const content: (string | Uint8Array)[] = []
      for (let index = 0; index < pieces.length; index += 1) {
        const slot = slotsOfPieces[index]
        content.push(slot === undefined ? (pieces[index] ?? '') : values[slot])
      }
      return content
    },
  }
}

function slotOf(piece: string): string | undefined {
  return piece.startsWith('{') && piece.endsWith('}') ? piece.slice(1, -1) : undefined
}
