/** Control characters, and those that reorder or hide what stands beside them. A line break and a tab are harmless where texts may have lines. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\p{Cs}]/gu

/** A text of a stranger on one line: nothing in it can hide, or change the order of what is read. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, name)
}

/** The same where line breaks and tabs are meant. */
export function printableLines(text: string): string {
  return text.replaceAll(unprintable, (character) => (/[\n\r\t]/.test(character) ? character : name(character)))
}

function name(character: string): string {
  return `⟨${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`
}
