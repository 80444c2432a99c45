import { test as base } from '../support/inbox.ts'
import { type HttpReceiver, type Respond, startHttpReceiver } from '../targets/http-receiver.ts'

/** What we sign for destinations with. */
export const forwardSecret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'

/** A test with servers that events are forwarded to; they are gone after it. */
export const test = base.extend<{ readonly destination: (respond?: Respond) => Promise<HttpReceiver> }>({
  destination: async ({}, use) => {
    const started: HttpReceiver[] = []
    await use(async (respond) => {
      const receiver = await startHttpReceiver(respond)
      started.push(receiver)
      return receiver
    })
    await Promise.all(started.map((receiver) => receiver.close()))
  },
})
