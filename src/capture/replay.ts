import { validateHeaderName, validateHeaderValue } from 'node:http'
import { isOncehookError } from '../errors.ts'
import type { CaptureStore, HeaderPair, ReplayResult, SentReplay } from '../store/capture-store.ts'
import type { Resolve } from '../targets/http-address.ts'
import type { Provider } from '../verify/provider.ts'
import { type Answered, exchange, type Outgoing } from './exchange.ts'
import { unmaskedHeaders } from './masked-headers.ts'
import type { ReplayOptions } from './options.ts'
import type { Original, OriginalKey, ReadOriginal } from './original.ts'
import { type ReplayTarget, readTarget } from './replay-target.ts'
import { resign } from './resign.ts'

/** What is sent again, where, how often, and how it is changed. */
export type ReplayRequest = {
  readonly from: OriginalKey
  /** A whole address, or `/in/<source>` or `/capture/<name>` of this gateway. */
  readonly target: string
  /** Default 1, at most 100. */
  readonly times?: number | undefined
  /** Up to 20 at once. Default: one after the other. */
  readonly isParallel?: boolean | undefined
  /** In place of what was sent. Headers are the whole list. */
  readonly edit?: ReplayEdit | undefined
  /** Signs it as this provider, or this source, would; the secret is that of the source. Default for receipts: their own source. */
  readonly sign?: ReplaySigner | 'no' | undefined
  readonly by: string
  readonly why: string
}

/** What is changed before it is sent again. */
export type ReplayEdit = {
  readonly method?: string | undefined
  readonly headers?: readonly HeaderPair[] | undefined
  readonly body?: Uint8Array | string | undefined
}

/** Who signs it anew. */
export type ReplaySigner = { readonly provider?: string | undefined; readonly source?: string | undefined }

/** What became of a replay. */
export type ReplayOutcome =
  | { readonly kind: 'sent'; readonly replay: Pick<SentReplay, 'id' | 'results'> }
  /** There is no such capture or receipt, or its body is gone. */
  | { readonly kind: 'not_found'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string }

export type ReplayParts = {
  readonly store: CaptureStore
  readonly environment: string
  readonly options: Required<ReplayOptions>
  readonly readOriginal: ReadOriginal
  readonly sources: Readonly<Record<string, Provider>>
  readonly ownUrl: () => string | undefined
  readonly resolve: Resolve
  readonly now: () => Date
}

const mostTimes = 100
const mostAtOnce = 20
const longestReplaySeconds = 120

/** Sends something again, and writes down who did it and what came back. */
export function createReplay(parts: ReplayParts): (request: ReplayRequest) => Promise<ReplayOutcome> {
  const { store, environment, options, readOriginal, sources, resolve, now } = parts

  return async (request) => {
    const { times = 1, isParallel = false, edit, from } = request
    if (!Number.isInteger(times) || times < 1 || times > mostTimes)
      return refused(`It can be sent 1 to ${mostTimes} times.`)
    const original = await readOriginal(from)
    if (original === undefined)
      return { kind: 'not_found', message: `There is no ${from.kind} ${from.id} here, or its body is gone.` }
    if (original.missing !== undefined && edit?.body === undefined)
      return refused(`${original.missing} Give another body to send it all the same.`)
    const mistake = editMistake(edit)
    if (mistake !== undefined) return refused(mistake)
    const target = await readTarget(request.target, { options, ownUrl: parts.ownUrl(), resolve })
    if (target.kind === 'refused') return target
    const signer = signerFor(request, original)
    if (typeof signer === 'string') return refused(signer)
    const make = maker(edited(original, edit), target, signer)
    const unsignable = trySigning(make, now())
    if (unsignable !== undefined) return refused(unsignable)

    const id = await store.beginReplay({
      environment,
      from,
      target: request.target,
      times,
      isParallel,
      isEdited: edit !== undefined && Object.values(edit).some((part) => part !== undefined),
      signedFor: signer?.name,
      by: request.by,
      why: request.why,
    })
    const results = await sendAll(make, { times, atOnce: isParallel ? mostAtOnce : 1 })
    await store.endReplay(environment, id, results)
    return { kind: 'sent', replay: { id, results } }
  }

  /** The provider with the secret of its source, nothing, or why there is none. */
  function signerFor({ sign }: ReplayRequest, original: Original): Provider | undefined | string {
    if (sign === 'no' || (sign === undefined && original.kind === 'capture')) return undefined
    const { provider, source = provider === undefined ? original.name : undefined } = sign ?? {}
    const named = source !== undefined && Object.hasOwn(sources, source) ? sources[source] : undefined
    if (source !== undefined && named === undefined)
      return `There is no source ${JSON.stringify(source)} whose secret could sign it.`
    if (named !== undefined && provider !== undefined && named.name !== provider)
      return `The source ${source} is of ${named.name}, not of ${provider}.`
    const found = named ?? Object.values(sources).find(({ name }) => name === provider)
    return (
      found ??
      `No source of this gateway is of ${provider}, so there is no secret to sign with: add one to the configuration.`
    )
  }

  async function sendAll(
    make: Make,
    { times, atOnce }: { readonly times: number; readonly atOnce: number },
  ): Promise<readonly ReplayResult[]> {
    const results: ReplayResult[] = []
    const whole = AbortSignal.timeout(longestReplaySeconds * 1000)
    let next = 1
    const lane = async (): Promise<void> => {
      for (let attempt = next; attempt <= times; attempt = next) {
        next += 1
        const signal = AbortSignal.any([whole, AbortSignal.timeout(options.timeoutSeconds * 1000)])
        const answered = whole.aborted ? notSent : await exchange(make(now()), signal)
        results.push({ attempt, ...answered })
      }
    }
    await Promise.all(Array.from({ length: Math.min(atOnce, times) }, lane))
    return results.toSorted((one, other) => one.attempt - other.attempt)
  }
}

const notSent: Answered = {
  status: undefined,
  headers: [],
  text: '',
  isTruncated: false,
  tookMilliseconds: 0,
  error: `It was not sent: all together had taken ${longestReplaySeconds} s already.`,
}

type Make = (at: Date) => Outgoing

type Edited = Pick<Original, 'method' | 'headers' | 'content'>

/** Signed anew each time it is sent, as providers do: an old signature would be refused. */
function maker(request: Edited, { url, addresses }: ReplayTarget, signer: Provider | undefined): Make {
  return (at) => {
    const signed = signer === undefined ? request : resign(signer, { ...request, url: url.href }, at)
    return { url, addresses, method: request.method, headers: signed.headers, content: signed.content }
  }
}

function trySigning(make: Make, at: Date): string | undefined {
  try {
    make(at)
    return undefined
  } catch (error) {
    return isOncehookError(error, 'ONCEHOOK_CANNOT_SIGN')
      ? error.message
      : 'It cannot be signed: its body is not one that this provider signs.'
  }
}

function edited({ method, headers, content }: Original, edit: ReplayEdit = {}): Edited {
  return {
    method: (edit.method ?? method).toUpperCase(),
    headers: edit.headers === undefined ? headers : unmaskedHeaders(edit.headers, headers),
    content: edit.body === undefined ? content : Buffer.from(edit.body),
  }
}

function editMistake({ method, headers = [] }: ReplayEdit = {}): string | undefined {
  if (method !== undefined && !/^[A-Za-z-]{1,20}$/.test(method)) return `${JSON.stringify(method)} is not a method.`
  if (method?.toUpperCase() === 'CONNECT') return 'CONNECT asks for a tunnel, and cannot be sent.'
  for (const [name, value] of headers) {
    try {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    } catch {
      return `The header ${JSON.stringify(name)} cannot be sent: its name is none, or its value holds a line break.`
    }
  }
  return undefined
}

function refused(message: string): ReplayOutcome {
  return { kind: 'refused', message }
}
