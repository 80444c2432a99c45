// Handles one event by way of a library, and dies between the handler's write and the commit.
import { limits, newReceipt } from '../store/store-under-test.ts'
import type { OpenClient, Place } from './client-under-test.ts'

export type ChildOptions = Place & { readonly file: string; readonly exportName: string; readonly eventId: string }

const options: ChildOptions = JSON.parse(process.env['CHILD_OPTIONS'] ?? '{}')
const module = (await import(options.file)) as Readonly<Record<string, OpenClient<unknown>>>
const client = await module[options.exportName]?.(options)

await client?.store.transaction(async (transaction) => {
  await transaction.recordReceipt(newReceipt({ eventId: options.eventId, disposition: 'inline' }))
  await transaction.runHandler(async (tx) => {
    await client.insert(tx, options.eventId)
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => {})
  }, limits())
})
