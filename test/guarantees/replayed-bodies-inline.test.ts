import { describe, expect } from 'vitest'
import { github } from '../../src/providers/github.ts'
import { copy, type GithubInbox, githubSecret, test } from '../support/github-inbox.ts'
import { until } from '../support/until.ts'

describe('a signed body whose first copy is running inline', () => {
  test.for([
    { policy: 'flag', end: 'commits', kinds: ['processed', 'processed', 'processed'], repeated: 2, effects: 3 },
    { policy: 'flag', end: 'rolls back', kinds: ['failed', 'processed', 'processed'], repeated: 1, effects: 2 },
    { policy: 'duplicate', end: 'commits', kinds: ['duplicate', 'duplicate', 'processed'], repeated: 2, effects: 1 },
    { policy: 'duplicate', end: 'rolls back', kinds: ['duplicate', 'failed', 'processed'], repeated: 1, effects: 1 },
  ] as const)(
    'waits for it, here and in another process, and is right when it $end ($policy)',
    async (expected, { makeInbox, guarantees, database }) => {
      const { policy, end, kinds, repeated, effects } = expected
      let release = (): void => {}
      const gate = new Promise<void>((resolve) => (release = resolve))
      let markStarted = (): void => {}
      const started = new Promise<void>((resolve) => (markStarted = resolve))
      let runs = 0
      const prepare = (): GithubInbox => {
        const inbox = makeInbox({ mode: 'inline', replayedBody: policy, whenInlineFails: 'redeliver' })
        inbox.on('github', '*', async (event, { tx }) => {
          runs += 1
          await tx.query(`insert into "${database.schema}".app_effects (event_id) values ($1)`, [event.id])
          if (runs > 1) return
          markStarted()
          await gate
          if (end === 'rolls back') throw new Error('no')
        })
        return inbox
      }
      const [one, other] = [prepare(), prepare()]
      await Promise.all([one.migrate(), other.migrate()])

      const first = one.receive('github', copy('one'))
      await started
      const copies = [one.receive('github', copy('here')), other.receive('github', copy('there'))]
      await until(
        () => other.recorded,
        (recorded) => recorded.some(({ kind }) => kind === 'busy'),
      )
      expect(one.recorded).toHaveLength(1)
      release()
      const outcomes = await Promise.all([first, ...copies])

      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(kinds)
      expect(outcomes.filter((outcome) => 'repeatsEventId' in outcome)).toHaveLength(repeated)
      expect(await guarantees.effects()).toBe(effects)
    },
  )

  test('is asked about again by the queue, which goes on with everything else meanwhile', async ({
    makeInbox,
    guarantees,
  }) => {
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => (release = resolve))
    let markStarted = (): void => {}
    const started = new Promise<void>((resolve) => (markStarted = resolve))
    const inbox = makeInbox({ replayedBody: 'duplicate' })
    inbox.on(
      'github',
      'push',
      async () => {
        markStarted()
        await gate
      },
      { mode: 'inline' },
    )
    inbox.on('github', 'issues', () => undefined, { mode: 'queued' })

    const first = inbox.receive('github', copy('one', 'push'))
    await started
    const second = inbox.receive('github', copy('two', 'issues'))
    await until(
      () => inbox.recorded,
      (recorded) => recorded.some(({ kind }) => kind === 'busy'),
    )
    const another = await inbox.receive(
      'github',
      github({ secret: githubSecret }).sign({ id: 'three', type: 'issues' }, new Date()),
    )
    release()

    expect(another.kind).toBe('accepted')
    expect([await first, await second]).toMatchObject([
      { kind: 'processed' },
      { kind: 'duplicate', repeatsEventId: 'one' },
    ])
    expect(await guarantees.receipts()).toHaveLength(2)
  })
})
