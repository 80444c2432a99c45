import { type OncehookMatchers, oncehookMatchers } from './matchers.ts'

const { expect } = await import('@jest/globals')
expect.extend(oncehookMatchers)

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T> extends OncehookMatchers<T, R> {}
}

declare global {
  namespace jest {
    interface Matchers<R, T> extends OncehookMatchers<T, R> {}
  }
}
