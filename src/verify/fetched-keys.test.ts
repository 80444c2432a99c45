import { createSecretKey, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { toDelivery } from '../delivery/delivery.ts'
import { createKeyLookUp, type FetchText, type KeySource } from './fetched-keys.ts'

const minute = 60_000
const hour = 60 * minute

/** A provider with a list of keys; a delivery names the key, and may name another address. */
const source: KeySource = {
  isOwnHost: (host) => host === 'keys.acme.example',
  addressOf: ({ headers }) => {
    const [address = 'https://keys.acme.example/list'] = headers.get('key-address') ?? []
    const [keyId] = headers.get('key-id') ?? []
    return keyId === undefined ? undefined : { address, keyId }
  },
  read: (text) =>
    new Map(Object.entries(JSON.parse(text) as Record<string, string>).map(([id, key]) => [id, keyOf(key)])),
}

const keyOf = (text: string): KeyObject => createSecretKey(Buffer.from(text))

/** A look-up against an invented key server, whose clock and answers the test sets. */
function setUp(answers: Record<string, string> = { k1: 'first' }) {
  const server = { now: Date.parse('2026-11-15T12:00:00Z'), answers, isDown: false, asked: [] as string[] }
  const fetchText: FetchText = async (address) => {
    server.asked.push(address)
    await Promise.resolve()
    if (server.isDown) throw new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } })
    return JSON.stringify(server.answers)
  }
  const lookUp = createKeyLookUp('acme', source, { fetchText, now: () => server.now })
  const keysFor = async (keyId: string | undefined, address?: string): Promise<readonly string[]> => {
    const headers = { 'key-id': keyId, 'key-address': address }
    return (await lookUp(toDelivery({ headers }))).map((key) => key.export().toString())
  }
  return { server, keysFor, lookUp }
}

describe('a key that is known', () => {
  test('is not fetched again for an hour, and is there at once', async () => {
    const { server, keysFor, lookUp } = setUp()
    await keysFor('k1')
    server.now += hour - 1

    const keys = lookUp(toDelivery({ headers: { 'key-id': 'k1' } }))

    expect(keys).toHaveLength(1)
    expect(server.asked).toHaveLength(1)
  })

  test('is fetched again after that, so that one that was withdrawn is not believed for ever', async () => {
    const { server, keysFor } = setUp()
    await keysFor('k1')
    server.answers = { k2: 'second' }
    server.now += hour

    expect(await keysFor('k1')).toEqual([])
    expect(await keysFor('k2')).toEqual(['second'])
  })

  test('is used for a day while the key server is down, and no longer', async () => {
    const { server, keysFor } = setUp()
    await keysFor('k1')
    server.isDown = true

    server.now += 24 * hour - 1
    expect(await keysFor('k1')).toEqual(['first'])
    server.now += 1
    await expect(keysFor('k1')).rejects.toMatchObject({ code: 'ONCEHOOK_KEYS_UNAVAILABLE' })
  })

  test('is asked for by one request at a time, however many deliveries wait', async () => {
    const { server, keysFor } = setUp()

    const keys = await Promise.all(Array.from({ length: 50 }, () => keysFor('k1')))

    expect(keys).toEqual(Array.from({ length: 50 }, () => ['first']))
    expect(server.asked).toHaveLength(1)
  })
})

describe('a key that is not known', () => {
  test('is found when the provider has added it since', async () => {
    const { server, keysFor } = setUp()
    await keysFor('k1')
    server.answers = { k1: 'first', k2: 'second' }
    server.now += minute

    expect(await keysFor('k2')).toEqual(['second'])
  })

  test('is asked for once in half a minute, however many deliveries name however many', async () => {
    const { server, keysFor } = setUp()

    for (let number = 0; number < 100; number += 1) expect(await keysFor(`unknown-${number}`)).toEqual([])
    expect(server.asked).toHaveLength(1)
    server.now += 30_000
    await keysFor('unknown')

    expect(server.asked).toHaveLength(2)
  })

  test('keeps nobody from using one that is', async () => {
    const { server, keysFor } = setUp()
    await keysFor('k1')
    server.now += minute
    server.isDown = true

    await expect(keysFor('unknown')).rejects.toMatchObject({ code: 'ONCEHOOK_KEYS_UNAVAILABLE' })
    expect(await keysFor('k1')).toEqual(['first'])
  })

  test('is looked for at few of the addresses that messages make up', async () => {
    const { server, keysFor } = setUp()
    const addresses = Array.from({ length: 100 }, (_, index) => `https://keys.acme.example/${index}`)

    const results = await Promise.allSettled(addresses.map((address) => keysFor('k1', address)))

    expect(server.asked).toHaveLength(20)
    expect(results.at(-1)).toMatchObject({
      status: 'rejected',
      reason: { code: 'ONCEHOOK_KEYS_UNAVAILABLE', message: expect.stringContaining('too many different keys') },
    })
  })

  test('does not keep what is known from being refreshed', async () => {
    const { server, keysFor } = setUp()
    await keysFor('k1')
    server.answers = { k1: 'changed' }
    server.now += hour
    for (let number = 0; number < 30; number += 1) {
      await keysFor('k1', `https://keys.acme.example/${number}`).catch(() => undefined)
    }

    expect(await keysFor('k1')).toEqual(['changed'])
  })

  test('is no key at all for a delivery that names none', async () => {
    const { server, keysFor } = setUp()

    expect(await keysFor(undefined)).toEqual([])
    expect(server.asked).toEqual([])
  })
})

describe('a key server that fails', () => {
  test('is left alone for half a minute, then asked again', async () => {
    const { server, keysFor } = setUp()
    server.isDown = true

    for (let attempt = 0; attempt < 5; attempt += 1) await expect(keysFor('k1')).rejects.toThrow(/keys of acme/)
    expect(server.asked).toHaveLength(1)
    server.isDown = false
    server.now += 30_000

    expect(await keysFor('k1')).toEqual(['first'])
    expect(server.asked).toHaveLength(2)
  })

  test('is named in the error with the cause and the remedy, but without what a stranger wrote into the address', async () => {
    const { server, keysFor } = setUp()
    server.isDown = true

    await expect(keysFor('k1', 'https://keys.acme.example/<script>')).rejects.toThrow(
      'The keys of acme could not be fetched from keys.acme.example (ENOTFOUND), so the provider was asked to send again. ' +
        'If this machine cannot reach it, give "publicKey", or "fetchText" to go another way.',
    )
  })

  test('is one that sends something else than keys, too', async () => {
    const fetchText: FetchText = () => Promise.resolve('<html>')
    const lookUp = createKeyLookUp('acme', source, { fetchText })

    await expect(lookUp(toDelivery({ headers: { 'key-id': 'k1' } }))).rejects.toMatchObject({
      code: 'ONCEHOOK_KEYS_UNAVAILABLE',
    })
  })

  test('is one that never answers, too, even where the user’s own way of fetching knows no end', async () => {
    const fetchText: FetchText = () => new Promise(() => {})
    const lookUp = createKeyLookUp('acme', source, { fetchText, patienceMilliseconds: 10 })

    await expect(lookUp(toDelivery({ headers: { 'key-id': 'k1' } }))).rejects.toThrow(/timeout/)
  })
})

describe('an address that is not the provider’s own', () => {
  test.each([
    'https://evil.example/list',
    'https://keys.acme.example.evil.example/list',
    'https://keys.acme.example@evil.example/list',
    'https://user:password@keys.acme.example/list',
    'https://keys.acme.example:8443/list',
    'https://keys.acme.example./list',
    'http://keys.acme.example/list',
    'file:///etc/passwd',
    'keys.acme.example/list',
    '//keys.acme.example/list',
    '',
  ])('is never asked: %j', async (address) => {
    const { server, keysFor } = setUp()

    expect(await keysFor('k1', address)).toEqual([])
    expect(server.asked).toEqual([])
  })
})
