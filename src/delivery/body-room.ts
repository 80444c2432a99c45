/**
 * The memory that large bodies may take together. A body for which there is no room is not read yet: what is not read stays with its sender, and
 * costs next to nothing here. It lasts from the first byte that is read until the delivery is answered.
 */
export type BodyRoom = {
  /**
   * Takes room for so many bytes, first come, first served. Answers with what gives it back, or undefined if there was none in time.
   * Small bodies never wait.
   */
  readonly enter: (bytes: number, waitSeconds: number) => Leave | Promise<Leave | undefined>
}

/** Gives the room back. Later calls do nothing. */
export type Leave = () => void

/** Enough to keep the database busy with bodies of megabytes. */
const defaultBytes = 32 << 20

/** What is no larger is not counted: that many are held by their number. */
const smallBytes = 64 << 10

/** How large a body will be, by what is said of it. A packed one becomes larger. */
export function expectedBytes({
  method,
  announcedLength,
  isPacked = false,
}: {
  readonly method: string
  readonly announcedLength: string | undefined
  readonly isPacked?: boolean
}): number {
  if (announcedLength !== undefined && !isPacked) return Number(announcedLength)
  return method === 'GET' || method === 'HEAD' ? 0 : unknownBytes
}

const unknownBytes = 256 << 10

export function createBodyRoom(maximumBytes: number = defaultBytes): BodyRoom {
  let used = 0
  const line: { readonly bytes: number; readonly enter: (leave: Leave) => void }[] = []

  return {
    enter(bytes, waitSeconds) {
      // What is not a number is not large either: whoever reads it refuses it.
      if (!(bytes > smallBytes)) return leaveNothing
      return line.length === 0 && hasRoom(bytes) ? taken(bytes) : waitInLine(bytes, waitSeconds)
    },
  }

  /** One that is larger than all of the room gets in when no other is there. */
  function hasRoom(bytes: number): boolean {
    return used === 0 || used + bytes <= maximumBytes
  }

  function taken(bytes: number): Leave {
    used += bytes
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      used -= bytes
      letIn()
    }
  }

  function letIn(): void {
    for (let next = line[0]; next !== undefined && hasRoom(next.bytes); next = line[0]) {
      line.shift()
      next.enter(taken(next.bytes))
    }
  }

  function waitInLine(bytes: number, waitSeconds: number): Promise<Leave | undefined> {
    return new Promise((resolve) => {
      const enter = (leave: Leave): void => {
        clearTimeout(timer)
        resolve(leave)
      }
      const waiting = { bytes, enter }
      const timer = setTimeout(() => {
        line.splice(line.indexOf(waiting), 1)
        resolve(undefined)
        // It may have kept smaller ones behind it from entering.
        letIn()
      }, waitSeconds * 1000)
      line.push(waiting)
    })
  }
}

/** For what takes no room. */
export const leaveNothing: Leave = () => {}
