import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { endWithTheBenchmark } from '../contenders/serve.mjs'

/**
 * What every worker process does: `fill <file>` puts the events of a file into its queue and ends; `work <count> <warmUp>` works
 * them off; `idle` waits for events that never come.
 */
export async function runTask({ fill, work }) {
  const [task, ...rest] = process.argv.slice(2)
  if (task === 'fill') {
    await fill(await readEvents(rest[0]))
    process.exit(0)
  }
  endWithTheBenchmark()
  const [count, warmUp] = task === 'idle' ? [Number.POSITIVE_INFINITY, 0] : rest.map(Number)
  await work(createProgress(count, warmUp))
  if (task === 'idle') tell({ kind: 'idle' })
}

/** Counts effects. The clock runs from the last effect of the warm-up to the last of all. */
function createProgress(count, warmUp) {
  let taken = 0
  let started
  return (events = 1) => {
    taken += events
    if (started === undefined && taken >= warmUp) {
      started = { at: performance.now(), taken }
      tell({ kind: 'warm' })
    }
    if (taken >= count) {
      const milliseconds = performance.now() - started.at
      tell({ kind: 'done', events: count - started.taken, milliseconds })
    }
  }
}

function tell(message) {
  console.log(JSON.stringify(message))
}

async function readEvents(path) {
  const events = []
  for await (const line of createInterface({ input: createReadStream(path) })) events.push(JSON.parse(line))
  return events
}
