/** So many at once. Answers in the order given. After a failure nothing new is begun. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  let next = 0
  let hasFailed = false
  const lane = async (): Promise<void> => {
    while (next < items.length && !hasFailed) {
      const place = next
      next += 1
      try {
        results[place] = await work(items[place] as Item)
      } catch (error) {
        hasFailed = true
        throw error
      }
    }
  }
  const lanes = Array.from({ length: Math.min(atOnce, items.length) }, lane)
  await Promise.allSettled(lanes)
  await Promise.all(lanes)
  return results
}
