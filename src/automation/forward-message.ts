import { permanent } from '../errors.ts'
import { createPoster, headerMistake, type PostOptions, readUrl } from '../targets/http-post.ts'
import { headerId } from '../targets/http-signature.ts'
import { failure, untilAborted } from '../targets/result.ts'
import type { MessageResult, OutgoingMessage, Target } from '../targets/target.ts'
import { withTimeLimit } from '../targets/time-limit.ts'

/** The target of the outbox that forward steps send through. */
export const forwardTarget = 'automations'

export type ForwardTargetParts = {
  /** Where requests may go to, and how long they may take. */
  readonly post: PostOptions
  readonly secrets: Readonly<Record<string, string>>
  /** What came in, for steps that hand it on as it is. */
  readonly readBody: (
    receiptId: string,
  ) => Promise<{ readonly content: Uint8Array; readonly headers: readonly (readonly [string, string])[] } | undefined>
}

/** What a forward step puts into the outbox. */
type ForwardMessage = {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Sends what forward steps have asked for: guarded as every request of ours is, with secrets that are stored nowhere. */
export function automationTarget({ post: options, secrets, readBody }: ForwardTargetParts): Target {
  const { concurrency = 10, timeoutSeconds = 15 } = options
  const poster = createPoster(options, concurrency)
  return {
    kind: 'automation',
    batchSize: 1,
    concurrency,
    timeoutSeconds: timeoutSeconds + 1,
    deliver: (messages, signal) =>
      withTimeLimit(timeoutSeconds, signal, (limited) =>
        Promise.all(messages.map((message) => send(message, limited))),
      ),
    close: async () => poster.close(),
  }

  async function send(outgoing: OutgoingMessage, signal: AbortSignal): Promise<MessageResult> {
    try {
      const message = outgoing.message as ForwardMessage
      const url = readUrl(message.url, options)
      const { body, contentType } = await untilAborted(() => bodyOf(outgoing, message), signal)
      const headers = {
        'content-type': contentType,
        'user-agent': 'oncehook',
        ...(outgoing.traceparent !== undefined && { traceparent: outgoing.traceparent }),
      }
      const id = headerId(outgoing.idempotencyKey)
      const given = headersOf(message)
      return (await poster.post({ url, method: message.method, headers, given, id, body, keys: [] }, signal)).result
    } catch (error) {
      return failure(error)
    }
  }

  async function bodyOf(
    { cause }: OutgoingMessage,
    { body }: ForwardMessage,
  ): Promise<{ readonly body: Uint8Array; readonly contentType: string }> {
    if (body !== undefined) return { body: Buffer.from(JSON.stringify(body)), contentType: 'application/json' }
    const stored = cause.receiptId === undefined ? undefined : await readBody(cause.receiptId)
    if (stored === undefined) throw permanent(new Error('The body of this event is not stored any more.'))
    const contentType = stored.headers.find(([name]) => name === 'content-type')?.[1] ?? 'application/octet-stream'
    return { body: stored.content, contentType }
  }

  function headersOf({ headers }: ForwardMessage): Readonly<Record<string, string>> {
    const entries = Object.entries(headers).map(([name, template]) => {
      const value = template.replaceAll(
        /\{\{\s*secret\.([\w-]+)\s*\}\}/gu,
        (_, secret: string) => secrets[secret] ?? '',
      )
      const mistake = headerMistake(name, value)
      if (mistake !== undefined) throw permanent(new Error(mistake))
      return [name, value] as const
    })
    return Object.fromEntries(entries)
  }
}
