import { createBodyId } from '../receipt/body-id.ts'

/** Version 7 leaves 12 bits behind the time to whoever wants to count (RFC 9562, 6.2). */
const mostInAMillisecond = 0x1000

/** Ids in the order in which calls begin. Of those that began in the same millisecond nothing else says which was first. */
export function createCallIds(): (at: Date) => string {
  let time = 0
  let count = 0
  return (at) => {
    if (at.getTime() > time) {
      time = at.getTime()
      count = 0
    } else if (count === mostInAMillisecond) {
      time += 1
      count = 0
    }
    const id = createBodyId(new Date(time))
    const digits = count.toString(16).padStart(3, '0')
    count += 1
    return `${id.slice(0, 15)}${digits}${id.slice(18)}`
  }
}
