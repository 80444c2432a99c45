import { isDeepStrictEqual } from 'node:util'
import type { Operator } from './automation.ts'

/** Whether a comparison holds. Numbers in texts count as numbers when one side is a number; what cannot be compared does not hold. */
export function holds(value: unknown, operator: Operator, than: unknown): boolean {
  switch (operator) {
    case 'equals':
      return isEqual(value, than)
    case 'not_equals':
      return !isEqual(value, than)
    case 'greater':
      return ordered(value, than, (sign) => sign > 0)
    case 'greater_or_equal':
      return ordered(value, than, (sign) => sign >= 0)
    case 'less':
      return ordered(value, than, (sign) => sign < 0)
    case 'less_or_equal':
      return ordered(value, than, (sign) => sign <= 0)
    case 'contains':
      return Array.isArray(value)
        ? value.some((member) => isEqual(member, than))
        : typeof value === 'string' && value.includes(String(than))
    case 'starts_with':
      return typeof value === 'string' && value.startsWith(String(than))
    case 'ends_with':
      return typeof value === 'string' && value.endsWith(String(than))
    case 'in':
      return Array.isArray(than) && than.some((member) => isEqual(value, member))
    case 'exists':
      return value !== undefined && value !== null
    case 'missing':
      return value === undefined || value === null
  }
}

function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' || typeof other === 'number') {
    const [left, right] = [numberOf(one), numberOf(other)]
    return left !== undefined && left === right
  }
  return isDeepStrictEqual(one, other)
}

/** Numbers by value, texts by code point. */
function ordered(one: unknown, other: unknown, isRight: (sign: number) => boolean): boolean {
  const [left, right] = [numberOf(one), numberOf(other)]
  if (left !== undefined && right !== undefined) return isRight(left - right)
  if (typeof one !== 'string' || typeof other !== 'string') return false
  return isRight(one < other ? -1 : one > other ? 1 : 0)
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const isNumber = typeof value === 'string' && /^-?\d{1,20}(?:\.\d{1,20})?$/.test(value)
  return isNumber ? Number(value) : undefined
}
