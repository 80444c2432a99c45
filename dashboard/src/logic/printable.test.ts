import { expect, test } from 'vitest'
import { printable, printableLines } from './printable.ts'

test('a text cannot hide or reorder anything', () => {
  expect(printable('evt_\u202egnp.exe')).toBe('evt_⟨202E⟩gnp.exe')
  expect(printable('a\u0000b\nc')).toBe('a⟨0000⟩b⟨000A⟩c')
  expect(printable('\ud800')).toBe('⟨D800⟩')
  expect(printable('grün 😀 "<b>"')).toBe('grün 😀 "<b>"')
})

test('line breaks stay where they are meant', () => {
  expect(printableLines('a\n\tb\u0007')).toBe('a\n\tb⟨0007⟩')
})
