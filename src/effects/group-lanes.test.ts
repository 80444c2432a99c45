import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createGroupLanes } from './group-lanes.ts'
import { createSlots } from './slots.ts'

/** Groups that are finished by hand. */
function heldGroups(sharing?: 'evenly') {
  const groups: { readonly members: readonly number[]; readonly finish: () => void }[] = []
  const lanes = createGroupLanes<number, string>({
    lanes: 2,
    slots: createSlots(2),
    ...(sharing && { sharing }),
    async process(members) {
      // As with a real database, some promises lie between the call and the message.
      for (let step = 0; step < 10; step += 1) await Promise.resolve()
      return new Promise((resolve) => {
        groups.push({ members, finish: () => resolve(members.map((member) => `done ${member}`)) })
      })
    },
  })
  const joinMany = (count: number) => Array.from({ length: count }, (_, number) => lanes.join('handler', 60, number))
  return { groups, joinMany, sizes: () => groups.map(({ members }) => members.length) }
}

describe('groups that share evenly', () => {
  test('take as many each as there are for a lane', async () => {
    const { joinMany, sizes } = heldGroups('evenly')

    void joinMany(64)
    await setImmediate()

    expect(sizes()).toEqual([32, 32])
  })

  test('become equal after one of them was large', async () => {
    const { groups, joinMany, sizes } = heldGroups('evenly')
    void joinMany(11)
    await setImmediate()
    void joinMany(53)
    await setImmediate()
    groups[0]?.finish()
    await setImmediate()

    // Of 64 that wait or are under way a lane has 32; the rest is for the one that is free next.
    expect(sizes()).toEqual([11, 32, 21])
  })

  test('are not smaller than what is worth a commit', async () => {
    const { joinMany, sizes } = heldGroups('evenly')

    void joinMany(12)
    await setImmediate()

    expect(sizes()).toEqual([12])
  })
})

describe('a group', () => {
  test('is under way before the members of the last one are told, each of its own result', async () => {
    const { groups, joinMany } = heldGroups()
    const first = joinMany(60)
    await setImmediate()
    void joinMany(120)
    await setImmediate()
    const groupsWhenTold = first[0]?.then((result) => [result, groups.length])
    groups[0]?.finish()

    expect(await groupsWhenTold).toEqual(['done 0', 3])
    expect(await Promise.all(first)).toEqual(Array.from({ length: 60 }, (_, number) => `done ${number}`))
  })
})
