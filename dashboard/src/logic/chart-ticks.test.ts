import { describe, expect, test } from 'vitest'
import { lonePlaces, wholeSteps } from './chart-ticks.ts'

describe('a chart', () => {
  test('has lines at whole numbers only, from one to whatever comes', () => {
    expect(wholeSteps.slice(0, 6)).toEqual([1, 2, 5, 10, 20, 50])
    expect(wholeSteps.every((step) => Number.isInteger(step))).toBe(true)
  })

  test('marks values that no line leads to', () => {
    expect(lonePlaces([null, 7, null, 3, 4, null, 0])).toEqual([1, 6])
    expect(lonePlaces([1, 2, 3])).toEqual([])
    expect(lonePlaces([])).toEqual([])
  })
})
