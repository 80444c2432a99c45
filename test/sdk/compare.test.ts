import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { github } from '../../src/providers/github.ts'
import { loadSamples } from '../../src/testing/samples/index.ts'
import type { Adapter, Asked, Difference } from './adapter.ts'
import { compare } from './compare.ts'
import { textKeys } from './keys.ts'
import { makeRequests, type Workshop } from './make-requests.ts'
import { proofInHeader } from './places.ts'

const header = 'x-hub-signature-256'
const samples = await loadSamples('github')

function rightly({ body, key, header: headerOf }: Asked): boolean {
  return headerOf(header) === `sha256=${createHmac('sha256', key).update(body).digest('hex')}`
}

function workshopWith(verify: (asked: Asked) => boolean, differences: readonly Difference[] = []): Workshop {
  const adapter: Adapter = {
    provider: 'github',
    library: 'none',
    calls: 'a function of this test',
    keys: textKeys,
    proof: proofInHeader(header),
    load: async () => ({ verify }),
    differences,
  }
  return { adapter, library: { verify }, create: github, samples, seed: 'test' }
}

describe('comparing a library with us', () => {
  test('finds nothing where it verifies as we do', async () => {
    const comparison = await compare(workshopWith(rightly), 300)

    expect(comparison).toMatchObject({ requests: 300, unlisted: [] })
    expect(comparison.bothAccept).toBeGreaterThan(50)
    expect(comparison.bothRefuse).toBeGreaterThan(100)
  })

  test('finds a library that believes everything', async () => {
    const { unlisted, bothRefuse } = await compare(
      workshopWith(() => true),
      300,
    )

    expect(bothRefuse).toBe(0)
    expect(unlisted.length).toBeGreaterThan(100)
    expect(unlisted.every(({ theirs }) => theirs === 'accepted')).toBe(true)
  })

  test('finds a library that believes nothing, and one that fails', async () => {
    const nothing = await compare(
      workshopWith(() => false),
      100,
    )
    const failing = await compare(
      workshopWith(() => {
        throw new Error('out of order')
      }),
      100,
    )

    expect(nothing.unlisted.length).toBeGreaterThan(20)
    expect(failing.unlisted.length).toBe(nothing.unlisted.length)
  })

  test('passes over what is listed, and nothing else', async () => {
    const isLoose = (asked: Asked) => rightly(asked) || asked.header(header) === ''
    const emptyProof: Difference = {
      name: 'no signature',
      reason: 'A library of this test believes what has none.',
      we: 'refuse',
      isMeant: ({ mutation }) => mutation === 'an empty proof',
    }

    const { listed, unlisted } = await compare(workshopWith(isLoose, [emptyProof]), 300)

    expect(listed.get(emptyProof)).toBeGreaterThan(0)
    expect(unlisted).toEqual([])
  })

  test('never allows us alone to believe what nobody signed', async () => {
    const anything: Difference = { name: 'anything', reason: 'None.', we: 'accept', isMeant: () => true }
    const workshop = workshopWith(() => false, [anything])
    const gullible = (options: Parameters<typeof github>[0]) => ({
      ...github(options),
      verify: () => ({ kind: 'authentic', secretIndex: 0 }) as const,
    })

    const { unlisted } = await compare({ ...workshop, create: gullible }, 300)

    expect(unlisted.map(({ request }) => request.mutation)).toContain('a byte of the body changed')
  })
})

describe('the requests', () => {
  const made = async (seed: string) => {
    const all = []
    for await (const request of makeRequests({ ...workshopWith(rightly), seed }, 200)) all.push(request)
    return all
  }

  test('are the same for the same seed, and others for another', async () => {
    const [one, same, other] = [await made('one'), await made('one'), await made('other')]

    expect(same).toEqual(one)
    expect(other).not.toEqual(one)
  })
})
