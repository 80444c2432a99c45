/** Keeps the number of time series within bounds, whatever comes in. */
export type LabelValues = {
  /** The value itself, or `other` once there are too many under this name. */
  readonly bounded: (name: string, value: string) => string
}

/** What stands for all values beyond the bound. */
const otherValue = 'other'

/** At most so many values are told apart under each name. Which these are, the order in which they come decides. */
export function createLabelValues(most: number): LabelValues {
  const known = new Map<string, Set<string>>()
  return {
    bounded(name, value) {
      let values = known.get(name)
      if (values === undefined) {
        values = new Set()
        known.set(name, values)
      }
      if (values.has(value)) return value
      if (values.size >= most) return otherValue
      values.add(value)
      return value
    },
  }
}
