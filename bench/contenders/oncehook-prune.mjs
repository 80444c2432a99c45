// Oncehook's own pruning at its default settings: until nothing is past its days, or until the benchmark closes its input.
import { inbox } from './oncehook-build.mjs'

const stop = new AbortController()
const isTold = new Promise((resolve) => process.stdin.on('end', resolve).resume())
void isTold.then(() => stop.abort())
await inbox.migrate()
console.log(JSON.stringify({ kind: 'begins' }))
const startedAt = performance.now()
const { outcome, counts } = await inbox.prune({ signal: stop.signal })
const milliseconds = performance.now() - startedAt
if (outcome !== 'done' && outcome !== 'stopped') throw new Error(`Pruning ended as ${outcome}.`)
const isAll = outcome === 'done' ? 1 : 0
console.log(JSON.stringify({ kind: 'pruned', receipts: counts.receipts ?? 0, milliseconds, isAll }))
await isTold
process.exit()
