/** A key as the list understands it. */
export type Key =
  | {
      readonly kind:
        | 'up'
        | 'down'
        | 'pageUp'
        | 'pageDown'
        | 'first'
        | 'last'
        | 'enter'
        | 'escape'
        | 'backspace'
        | 'clear'
        | 'interrupt'
    }
  | { readonly kind: 'text'; readonly text: string }

const sequences: Readonly<Record<string, Key>> = {
  '[A': { kind: 'up' },
  OA: { kind: 'up' },
  '[B': { kind: 'down' },
  OB: { kind: 'down' },
  '[5~': { kind: 'pageUp' },
  '[6~': { kind: 'pageDown' },
  '[H': { kind: 'first' },
  OH: { kind: 'first' },
  '[1~': { kind: 'first' },
  '[F': { kind: 'last' },
  OF: { kind: 'last' },
  '[4~': { kind: 'last' },
}

const controls: Readonly<Record<string, Key>> = {
  '\r': { kind: 'enter' },
  '\n': { kind: 'enter' },
  '\u007f': { kind: 'backspace' },
  '\b': { kind: 'backspace' },
  '\u0003': { kind: 'interrupt' },
  '\u0015': { kind: 'clear' },
}

const escape = '\u001b'
/** An escape sequence with its end, a lone escape, or one character. */
const parts = new RegExp(`${escape}(\\[[0-?]*[ -/]*[@-~]|O[@-~])?|[^]`, 'gu')

/** The keys in what a terminal sends in one go. Those that mean nothing here are left out. */
export function readKeys(input: string): readonly Key[] {
  return [...input.matchAll(parts)].flatMap(([part, sequence]) => keyOf(part, sequence) ?? [])
}

function keyOf(part: string, sequence: string | undefined): Key | undefined {
  if (part.startsWith(escape)) return sequence === undefined ? { kind: 'escape' } : sequences[sequence]
  return controls[part] ?? (/\p{C}/u.test(part) ? undefined : { kind: 'text', text: part })
}
