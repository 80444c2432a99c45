import { expect, test } from 'vitest'
import { type BodyRoom, createBodyRoom, expectedBytes, type Leave } from './body-room.ts'

const kilobyte = 1024
const long = 60

/** Enters, and notes who is in. */
function visitors(room: BodyRoom): {
  readonly inside: string[]
  readonly come: (name: string, kilobytes: number, waitSeconds?: number) => Promise<Leave | undefined>
} {
  const inside: string[] = []
  return {
    inside,
    async come(name, kilobytes, waitSeconds = long) {
      const leave = await room.enter(kilobytes * kilobyte, waitSeconds)
      if (leave !== undefined) inside.push(name)
      return leave
    },
  }
}

/** Whoever can get in by now has got in. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('as many get in as fit together, and the others in the order in which they came', async () => {
  const { inside, come } = visitors(createBodyRoom(300 * kilobyte))

  const first = come('first', 200)
  void come('second', 200)
  // It would fit beside the first, but it came later.
  void come('third', 100)
  await settled()
  expect(inside).toEqual(['first'])

  const leave = await first
  leave?.()
  await settled()
  expect(inside).toEqual(['first', 'second', 'third'])
})

test('giving back twice gives back once', async () => {
  const { inside, come } = visitors(createBodyRoom(300 * kilobyte))

  const leave = await come('first', 150)
  await come('second', 150)
  leave?.()
  leave?.()
  await come('third', 150)
  void come('fourth', 150)
  await settled()

  expect(inside).toEqual(['first', 'second', 'third'])
})

test('one that is larger than all of the room gets in when it is alone', async () => {
  const { inside, come } = visitors(createBodyRoom(300 * kilobyte))

  const leave = await come('first', 100)
  void come('giant', 1000)
  await settled()
  expect(inside).toEqual(['first'])

  leave?.()
  await settled()
  expect(inside).toEqual(['first', 'giant'])
})

test('who waited in vain is told so, and no longer stands in the way of others', async () => {
  const { inside, come } = visitors(createBodyRoom(300 * kilobyte))

  await come('first', 200)
  const impatient = come('impatient', 200, 0.01)
  const small = come('fits beside the first', 100)

  expect(await impatient).toBeUndefined()
  await small
  expect(inside).toEqual(['first', 'fits beside the first'])
})

test.each([0, 64 * kilobyte, Number.NaN])('a body of %d bytes never waits, and leaves room for others', (bytes) => {
  const room = createBodyRoom(100 * kilobyte)

  expect(room.enter(100 * kilobyte, long)).toBeTypeOf('function')
  expect(room.enter(bytes, long)).toBeTypeOf('function')
  expect(room.enter(100 * kilobyte, long)).toBeInstanceOf(Promise)
})

test.each([
  ['as many as are announced', { method: 'POST', announcedLength: '1000' }, 1000],
  ['none that are not announced for a method without a body', { method: 'GET', announcedLength: undefined }, 0],
  ['some that are not announced', { method: 'POST', announcedLength: undefined }, 256 * kilobyte],
  ['some for what is packed', { method: 'POST', announcedLength: '10', isPacked: true }, 256 * kilobyte],
])('expects %s', (_, said, bytes) => {
  expect(expectedBytes(said)).toBe(bytes)
})
