import { test as base } from 'vitest'
import { type HttpOptions, http } from '../../src/targets/http.ts'
import type { Target } from '../../src/targets/target.ts'
import { type HttpReceiver, type Respond, startHttpReceiver } from './http-receiver.ts'

type HttpFixtures = {
  /** Starts a server that is gone after the test. */
  readonly receiver: (respond?: Respond, place?: { port?: number; address?: string }) => Promise<HttpReceiver>
  /** A target that is closed after the test and may reach this machine. */
  readonly target: (options: HttpOptions) => Target
}

/** A test that posts to servers on this machine. */
export const test = base.extend<HttpFixtures>({
  receiver: async ({}, use) => {
    const started: HttpReceiver[] = []
    await use(async (respond, place) => {
      const receiver = await startHttpReceiver(respond, place)
      started.push(receiver)
      return receiver
    })
    await Promise.all(started.map((receiver) => receiver.close().catch(() => {})))
  },
  target: async ({}, use) => {
    const opened: Target[] = []
    await use((options) => {
      const target = http({ allowPrivateAddresses: true, ...options })
      opened.push(target)
      return target
    })
    for (const target of opened) await target.close?.()
  },
})
