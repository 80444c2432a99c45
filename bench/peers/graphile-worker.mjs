// SETTINGS is the `worker` part of graphile-worker's preset.
import { Logger, makeWorkerUtils, run, WorkerPreset } from 'graphile-worker'
import { runTask } from '../workers/task.mjs'

const preset = {
  extends: [WorkerPreset],
  worker: {
    connectionString: process.env.DATABASE_URL,
    logger: new Logger(() => (level, message) => {
      if (level === 'error' || level === 'warning') console.error(message)
    }),
    ...JSON.parse(process.env.SETTINGS),
  },
}

await runTask({
  async fill(events) {
    const utils = await makeWorkerUtils({ preset })
    await utils.migrate()
    for (let start = 0; start < events.length; start += 1000) {
      await utils.addJobs(events.slice(start, start + 1000).map((payload) => ({ identifier: 'webhook', payload })))
    }
    await utils.release()
  },
  async work(progress) {
    const webhook = async (event, helpers) => {
      const values = [event.id, event.data.object.amount_paid]
      await helpers.query('insert into effects (event_id, amount) values ($1, $2)', values)
      progress()
    }
    await run({ preset, taskList: { webhook } })
  },
})
