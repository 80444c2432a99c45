// RIGHT. Oncehook, queued: a durable receipt, the answer, and a worker with leases.
import { startOncehook } from './oncehook.mjs'

await startOncehook('queued')
