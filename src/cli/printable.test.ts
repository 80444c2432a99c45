import { describe, expect, test } from 'vitest'
import { printable, shortened } from './printable.ts'

describe('text from the network', () => {
  test('cannot colour, clear or rename a terminal', () => {
    expect(printable('a\u001b[2Jb\u0007\nc\u009b31m')).toBe('a\\u{1b}[2Jb\\u{7}\\u{a}c\\u{9b}31m')
  })

  test('cannot turn the reading direction', () => {
    expect(printable('evt\u202egpj')).toBe('evt\\u{202e}gpj')
  })

  test('keeps letters of every language', () => {
    expect(printable('Rechnung fällig – 請求書 🙂')).toBe('Rechnung fällig – 請求書 🙂')
  })
})

describe('shortening', () => {
  test('leaves alone what fits', () => {
    expect(shortened('abc', 3)).toBe('abc')
  })

  test('shows that something was cut off, and cuts no character in half', () => {
    expect(shortened('🙂🙂🙂', 2)).toBe('🙂…')
  })
})
