import { describe, expect, test } from 'vitest'
import { permanent } from '../../src/errors.ts'
import { type HandledDelivery, handler } from '../../src/targets/handler.ts'
import { outgoingMessage, patient } from './outgoing-message.ts'

type Email = { readonly to: string }

const published = { kind: 'published' }

describe('a function that takes one message', () => {
  test('is given the message, its idempotency key, the attempt, the cause and a signal', async () => {
    const calls: { readonly message: Email; readonly delivery: HandledDelivery }[] = []
    const target = handler((message: Email, delivery) => calls.push({ message, delivery }))
    const sent = outgoingMessage({ message: { to: 'ada@example.com' }, attempt: 3 })
    const signal = patient()

    const results = await target.deliver([sent], signal)

    expect(results).toEqual([published])
    const { idempotencyKey, attempt, cause } = sent
    expect(calls).toEqual([
      { message: { to: 'ada@example.com' }, delivery: { idempotencyKey, attempt, cause, signal } },
    ])
  })

  test('fails for now by what it throws, and for good by what it throws as permanent', async () => {
    const target = handler(({ to }: Email) => {
      if (to === 'nobody') throw permanent(new TypeError('no such address'))
      throw new Error('mail server busy')
    })

    const busy = await target.deliver([outgoingMessage({ message: { to: 'ada' } })], patient())
    const unknown = await target.deliver([outgoingMessage({ message: { to: 'nobody' } })], patient())

    expect(busy).toEqual([{ kind: 'failed', error: 'Error: mail server busy', retry: 'later' }])
    expect(unknown).toEqual([{ kind: 'failed', error: 'TypeError: no such address', retry: 'permanent' }])
  })

  test('fails for now when it rejects with something that is no error', async () => {
    const target = handler(() => Promise.reject('busy'))

    const results = await target.deliver([outgoingMessage()], patient())

    expect(results).toEqual([{ kind: 'failed', error: 'Thrown value: busy', retry: 'later' }])
  })

  test('is given up when its time is over, even if it heeds no signal', async () => {
    const target = handler(() => new Promise(() => {}))
    const abort = new AbortController()

    const delivering = target.deliver([outgoingMessage()], abort.signal)
    abort.abort()

    expect(await delivering).toEqual([
      { kind: 'failed', error: expect.stringContaining('did not end in time'), retry: 'later' },
    ])
  })

  test('is not called once the time is over', async () => {
    let calls = 0
    const target = handler(() => (calls += 1))

    const results = await target.deliver([outgoingMessage()], AbortSignal.abort())

    expect(results).toMatchObject([{ kind: 'failed', retry: 'later' }])
    expect(calls).toBe(0)
  })
})

describe('a function that takes a batch', () => {
  const three = [outgoingMessage(), outgoingMessage(), outgoingMessage()]

  test('is given all messages in one call, in their order', async () => {
    const calls: (readonly string[])[] = []
    const target = handler((messages) => calls.push(messages.map(({ idempotencyKey }) => idempotencyKey)), {
      batch: 50,
    })

    const results = await target.deliver(three, patient())

    expect(target.batchSize).toBe(50)
    expect(results).toEqual([published, published, published])
    expect(calls).toEqual([three.map(({ idempotencyKey }) => idempotencyKey)])
  })

  test('fails as a whole by what it throws', async () => {
    const target = handler(
      () => {
        throw new Error('busy')
      },
      { batch: 50 },
    )

    const results = await target.deliver(three, patient())

    const failed = { kind: 'failed', error: 'Error: busy', retry: 'later' }
    expect(results).toEqual([failed, failed, failed])
  })

  test('fails in part by the settled promises it answers with', async () => {
    const send = async ({ idempotencyKey }: { idempotencyKey: string }): Promise<string> => {
      if (idempotencyKey === three[1]?.idempotencyKey) throw permanent('refused')
      return 'sent'
    }
    const target = handler((messages) => Promise.allSettled(messages.map(send)), { batch: 50 })

    const results = await target.deliver(three, patient())

    expect(results).toEqual([published, { kind: 'failed', error: 'Error: refused', retry: 'permanent' }, published])
  })

  test('fails in part by the errors in its answer', async () => {
    const target = handler(() => [undefined, undefined, new Error('busy')], { batch: 50 })

    const results = await target.deliver(three, patient())

    expect(results).toEqual([published, published, { kind: 'failed', error: 'Error: busy', retry: 'later' }])
  })
})

describe('the options', () => {
  test('are refused all at once when they make no sense', () => {
    expect(() => handler(undefined as never, { concurrency: 0, timeoutSeconds: Number.NaN })).toThrow(
      /not a function[\s\S]+concurrency is 0[\s\S]+timeoutSeconds is NaN/,
    )
  })

  test('reach the relay', () => {
    const target = handler(() => {}, { concurrency: 3, timeoutSeconds: 7 })

    expect(target).toMatchObject({ kind: 'handler', batchSize: 1, concurrency: 3, timeoutSeconds: 7 })
  })
})
