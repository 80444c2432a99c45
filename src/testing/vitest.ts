import { type OncehookMatchers, oncehookMatchers } from './matchers.ts'

const { expect } = await import('vitest')
expect.extend(oncehookMatchers)

declare module 'vitest' {
  interface Matchers<T> extends OncehookMatchers<T> {}
}
