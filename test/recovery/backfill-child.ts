// Back-fills in a process of its own with a worker beside it, and tells the test how far it came: tests kill it in the middle.
import { createOutageApp, type OutageApp } from './backfill-app.ts'

const { range, ...app } = JSON.parse(process.env['BACKFILL_OPTIONS'] ?? '{}') as OutageApp & {
  readonly range: { readonly from: string; readonly to: string }
}
const inbox = createOutageApp(app)
await inbox.start()
await inbox.backfill({
  source: 'stripe',
  from: new Date(range.from),
  to: new Date(range.to),
  onProgress: ({ recorded }) => process.send?.(recorded),
})
await inbox.close()
process.disconnect()
