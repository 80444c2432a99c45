/** Something that is due at a moment. */
export type Due<Item> = { readonly at: number; readonly item: Item }

/** What is due, the earliest first; of two at the same moment, the one that was put in first. */
export type DueList<Item> = {
  readonly put: (at: number, item: Item) => void
  readonly peek: () => Due<Item> | undefined
  readonly take: () => Due<Item> | undefined
  readonly all: () => readonly Due<Item>[]
}

export function createDueList<Item>(): DueList<Item> {
  const list: Due<Item>[] = []
  return {
    put(at, item) {
      let [low, high] = [0, list.length]
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((list[middle] as Due<Item>).at <= at) low = middle + 1
        else high = middle
      }
      list.splice(low, 0, { at, item })
    },
    peek: () => list[0],
    take: () => list.shift(),
    all: () => list,
  }
}
