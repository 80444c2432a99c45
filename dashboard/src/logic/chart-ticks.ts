/** Steps between the lines of a chart: 1, 2, 5, 10 and so on. Counts and milliseconds have no halves. */
export const wholeSteps: readonly number[] = Array.from({ length: 12 }, (_, power) => 10 ** power).flatMap((ten) => [
  ten,
  2 * ten,
  5 * ten,
])

/** Where a value stands alone, with nothing before and after it to draw a line to: it is a point, or it would not be seen. */
export function lonePlaces(values: readonly (number | null | undefined)[]): number[] {
  return values.flatMap((value, place) =>
    value != null && values[place - 1] == null && values[place + 1] == null ? [place] : [],
  )
}
