import type { Door } from '../delivery/door.ts'
import { invalidOptions } from '../errors.ts'

/** A wrong name is said when the handler is set up: later it could only go unnoticed. */
export function checkSource(door: Door, source: string): void {
  if (door.settingsOf(source) !== undefined) return
  throw invalidOptions('The shadow', [`there is no source ${JSON.stringify(source)} in the inbox.`])
}
