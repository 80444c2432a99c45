import { expect, test } from 'vitest'
import { sourceOfUrl } from './source-of-url.ts'

test.each([
  ['/in/stripe', 'stripe'],
  ['/stripe', 'stripe'],
  ['/in/stripe/', 'stripe'],
  ['/in/stripe?tenant=a/b', 'stripe'],
  ['/in/checkout%2Dcom', 'checkout-com'],
  ['/in/%C3%A9t%C3%A9', 'été'],
  ['https://example.com/in/stripe?a=b', 'stripe'],
  ['https://stripe', undefined],
  ['https://stripe/', undefined],
  ['/', undefined],
  ['', undefined],
  ['?stripe', undefined],
  ['/in/%', undefined],
  ['/in/%zz', undefined],
  ['/in/%C3%28', undefined],
  ['/in/%E0%A4%A', undefined],
])('"%s" names the source %s', (url, source) => {
  expect(sourceOfUrl(url)).toBe(source)
})
