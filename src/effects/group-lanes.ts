import { nextTick } from 'node:process'
import type { Slots } from './slots.ts'

/** Gathers what can be processed together while earlier groups are under way. */
export type GroupLanes<Member, Result> = {
  /** Resolves with what became of this member. Members of one name are processed together, at most so many. */
  readonly join: (name: string, size: number, member: Member) => Promise<Result>
}

export type GroupLanesOptions<Member, Result> = {
  /** Groups at once. */
  readonly lanes: number
  /** Places that groups share with handlers that run alone. */
  readonly slots: Slots
  /** `evenly`: no group takes more than its lane's part of all who wait or are under way, so that no lane is left with the rest. */
  readonly sharing?: 'evenly'
  /** Answers in the order given. Never rejects. */
  readonly process: (members: readonly Member[]) => Promise<readonly Result[]>
}

/** Fewer members than that are not worth a commit of their own. */
const worthACommit = 16

type Waiting<Member, Result> = { readonly member: Member; readonly resolve: (result: Result) => void }

export function createGroupLanes<Member, Result>(
  options: GroupLanesOptions<Member, Result>,
): GroupLanes<Member, Result> {
  const { lanes, slots, sharing, process } = options
  const waiting = new Map<string, { readonly size: number; readonly members: Waiting<Member, Result>[] }>()
  let busy = 0
  let underWay = 0
  let isScheduled = false

  return {
    join: (name, size, member) =>
      new Promise((resolve) => {
        const line = waiting.get(name) ?? { size, members: [] }
        waiting.set(name, line)
        line.members.push({ member, resolve })
        schedule()
      }),
  }

  /** What is claimed together joins in one turn of the event loop, so a group starts in the next. */
  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      start()
    })
  }

  function start(): void {
    while (busy < lanes && waiting.size > 0) void runGroup()
  }

  async function runGroup(): Promise<void> {
    busy += 1
    const leave = await slots.take()
    const group = takeGroup()
    underWay += group.length
    const results = group.length === 0 ? [] : await process(group.map(({ member }) => member))
    underWay -= group.length
    leave?.()
    busy -= 1
    if (isWorthStarting(group.length)) start()
    else if (waiting.size > 0) schedule()
    // In the next tick: by then the database has the next group to work on, while these are told.
    nextTick(() => {
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result)
    })
  }

  /** Fewer than that would rather wait for those who come in the same turn of the event loop. */
  function isWorthStarting(finished: number): boolean {
    const [next] = waiting.values()
    return next !== undefined && next.members.length * 2 >= finished
  }

  /** The line that has waited longest; whoever is left over goes to the end. */
  function takeGroup(): readonly Waiting<Member, Result>[] {
    const [next] = waiting
    if (next === undefined) return []
    const [name, { size, members }] = next
    const part = sharing === 'evenly' ? Math.max(worthACommit, Math.ceil((members.length + underWay) / lanes)) : size
    const group = members.splice(0, Math.min(size, part))
    waiting.delete(name)
    if (members.length > 0) waiting.set(name, { size, members })
    return group
  }
}
