import { createHash } from 'node:crypto'

/** Choices that look random and are the same for the same seed. */
export type Random = {
  /** At least 0 and below 1. */
  readonly fraction: () => number
  /** A whole number from 0 to below the limit. */
  readonly below: (limit: number) => number
  readonly shuffled: <Item>(items: readonly Item[]) => readonly Item[]
}

/** Each purpose has its own choices, so that leaving one scenario out does not change those of another. */
export function randomOf(seed: string, purpose: string): Random {
  let state = createHash('sha256').update(`${seed}\n${purpose}`).digest().readUInt32LE(0)
  // Mulberry32: small, and good enough for choosing moments.
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    shuffled: (items) => {
      const mixed = [...items]
      for (let index = mixed.length - 1; index > 0; index -= 1) {
        const other = below(index + 1)
        const held = mixed[index]
        mixed[index] = mixed[other] as (typeof mixed)[number]
        mixed[other] = held as (typeof mixed)[number]
      }
      return mixed
    },
  }
}
