/** Hands on together what comes in one turn of the event loop, at most so many at once. */
export function createGather<Item>(handOn: (items: readonly Item[]) => void, mostItems: number): (item: Item) => void {
  let gathered: Item[] = []

  function handOnAll(): void {
    const items = gathered
    gathered = []
    for (let from = 0; from < items.length; from += mostItems) handOn(items.slice(from, from + mostItems))
  }

  return (item) => {
    if (gathered.length === 0) setImmediate(handOnAll)
    gathered.push(item)
  }
}
