/**
 * Whether receipts are asked for before they are sent. A question costs a round trip, and spares what is known its body, headers and columns:
 * worth it in a storm of duplicates, and a waste without.
 */
export type AskFirst = {
  readonly isWorthIt: () => boolean
  /** Of so many receipts so many were known by their ids, whether that was asked or not. */
  readonly learn: (outcome: { readonly recorded: number; readonly known: number }) => void
}

/**
 * The share of known receipts from which it is worth it, and below which it is not any more. Apart, so that it does not change all the time.
 * With one half of them known the round trip cost as much as it spared.
 */
const shareToBegin = 0.75
const shareToEnd = 0.6

/** So many receipts weigh as much as all before them. */
const memory = 64

/** Knows nothing but what it is told, so that the same deliveries are always recorded by the same statements. */
export function createAskFirst(): AskFirst {
  let share = 0
  let isAsking = false

  return {
    isWorthIt: () => isAsking,
    learn({ recorded, known }) {
      if (recorded === 0) return
      share += (known / recorded - share) * (recorded / (recorded + memory))
      isAsking = share >= (isAsking ? shareToEnd : shareToBegin)
    },
  }
}
