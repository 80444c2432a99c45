import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Asker } from './probe.ts'

const patienceMilliseconds = 20_000

/** Asks a command of the shell: `$1` is the event's id, `$2` the object's. What it prints is the answer. */
export function commandAsker(command: string): Asker {
  return {
    asksBy: command.includes('$2') && !command.includes('$1') ? 'object' : 'event',
    async ask({ eventId, objectId = '' }) {
      const { stdout } = await promisify(execFile)('sh', ['-c', command, 'probe', eventId, objectId], {
        timeout: patienceMilliseconds,
      })
      return stdout
    },
    close: async () => {},
  }
}
