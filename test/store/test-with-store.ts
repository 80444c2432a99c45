import { type TestAPI, test } from 'vitest'
import type { MakeStore, StoreUnderTest } from './store-under-test.ts'

/** `test` with a store that is new for every test. */
export function testWithStore<Tx>(makeStore: MakeStore<Tx>): TestAPI<{ readonly subject: StoreUnderTest<Tx> }> {
  return test.extend<{ readonly subject: StoreUnderTest<Tx> }>({
    subject: async ({}, use) => {
      const subject = await makeStore()
      await use(subject)
      await subject.dispose()
    },
  })
}
