import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createManualClock, type ManualClock } from '../../test/support/manual-clock.ts'
import { type EncryptionKey, encryptionMistakes, type FetchEncryptionKey } from './encryption.ts'
import { createKeyRing, type KeyRing } from './key-ring.ts'

const bytes = randomBytes(32)

describe('a key', () => {
  test.each([
    ['bytes', bytes],
    ['base64', bytes.toString('base64')],
    ['base64 for URLs', bytes.toString('base64url')],
    ['base64 with a line break after it', `${bytes.toString('base64')}\n`],
    ['hexadecimal digits', bytes.toString('hex')],
  ])('may be given as %s', async (_, key) => {
    const { current } = createKeyRing({ keys: { a: key }, current: 'a' }, createManualClock())

    expect((await current()).key.export()).toEqual(bytes)
  })

  test.each([
    ['', 'is missing'],
    [undefined, 'is missing'],
    ['short', 'must be 32 random bytes'],
    [bytes.subarray(1), 'must be 32 random bytes'],
    [bytes.toString('hex').slice(1), 'must be 32 random bytes'],
    [Buffer.alloc(32), 'has the same byte 32 times'],
    [7 as unknown as string, 'must be 32 random bytes'],
  ])('that is %j is refused at start-up, without being quoted', (key, mistake) => {
    const [text = '', ...others] = encryptionMistakes({ keys: { 'key-1': key }, current: 'key-1' })

    expect(text).toContain(`the key "key-1" ${mistake}`)
    expect(others).toEqual([])
    expect(text).not.toMatch(/short|[0-9a-f]{32}/)
  })

  test('that the id of the current one does not name is refused', () => {
    expect(encryptionMistakes({ keys: { a: bytes }, current: 'b' })).toEqual([
      'encryption.keys has no key "b", which encryption.current names.',
    ])
    expect(encryptionMistakes({ keys: { 'a b': bytes }, current: 'c d' })).toHaveLength(2)
    expect(encryptionMistakes({ keys: () => bytes, current: 'whatever' })).toEqual([])
  })

  test('that is not given is one clear error', async () => {
    const { find } = createKeyRing({ keys: { a: bytes }, current: 'a' }, createManualClock())

    await expect(find('old')).rejects.toMatchObject({
      code: 'ONCEHOOK_ENCRYPTION_KEY_UNAVAILABLE',
      message: expect.stringContaining('the key "old", which is not among encryption.keys'),
    })
  })
})

describe('a function that fetches keys', () => {
  test('is asked once by many, and again after an hour', async () => {
    const { ring, asked, clock } = fetching(() => bytes)

    await Promise.all([ring.current(), ring.find('a'), ring.find('b'), ring.find('a')])
    await clock.advance(3_599_000)
    await ring.find('a')
    expect(asked).toEqual(['a', 'b'])
    await clock.advance(2_000)
    await ring.find('a')

    expect(asked).toEqual(['a', 'b', 'a'])
  })

  test('that fails is not asked again at once, and then it is', async () => {
    let isAway = true
    const { ring, asked, clock } = fetching(async () => {
      if (isAway) throw new Error('the service is away')
      return bytes
    })

    await expect(ring.find('a')).rejects.toThrow('could not fetch it')
    await expect(ring.find('a')).rejects.toThrow('could not fetch it')
    expect(asked).toHaveLength(1)
    isAway = false
    await clock.advance(6_000)

    expect((await ring.find('a')).key.export()).toEqual(bytes)
  })

  test('that fails later leaves the key that it gave, until it says otherwise', async () => {
    let answer: () => EncryptionKey | undefined = () => bytes
    const { ring, clock } = fetching(() => answer())
    await ring.find('a')

    answer = () => {
      throw new Error('the service is away')
    }
    await clock.advance(3_700_000)
    expect((await ring.find('a')).key.export()).toEqual(bytes)

    answer = () => undefined
    await clock.advance(6_000)
    await expect(ring.find('a')).rejects.toThrow('that key is not there')
  })

  test('that returns no key is one clear error', async () => {
    const { ring } = fetching(() => 'nonsense')

    await expect(ring.find('a')).rejects.toMatchObject({
      code: 'ONCEHOOK_ENCRYPTION_KEY_UNAVAILABLE',
      message: expect.stringContaining('that key must be 32 random bytes'),
    })
  })
})

function fetching(fetchKey: FetchEncryptionKey): {
  readonly ring: KeyRing
  readonly asked: readonly string[]
  readonly clock: ManualClock
} {
  const asked: string[] = []
  const clock = createManualClock()
  const keys: FetchEncryptionKey = (keyId, signal) => {
    asked.push(keyId)
    return fetchKey(keyId, signal)
  }
  return { ring: createKeyRing({ keys, current: 'a' }, clock), asked, clock }
}
