import { admit, type ReportError, reporter } from '../delivery/admit.ts'
import { errorAnswer } from '../delivery/answer.ts'
import { bodyAlreadyParsed } from '../delivery/body-already-parsed.ts'
import { toDeliveryHeaders } from '../delivery/delivery.ts'
import type { Door } from '../delivery/door.ts'
import { defaultReadSeconds, readWebBody } from '../delivery/read-body.ts'
import { sourceOfUrl } from '../delivery/source-of-url.ts'
import type { Answer } from '../verify/provider.ts'

export type FetchHandlerOptions = {
  readonly door: Door
  /** Without it the last segment of the path names the source. */
  readonly source?: string | undefined
  /** How long a sender may take over its body. Default 10. */
  readonly readSeconds?: number | undefined
  /** Told of mistakes and failures that the sender only sees as a 500. Default: the door's. */
  readonly onError?: ReportError | undefined
  /** The full URL that the sender called, where `request.url` is not it. */
  readonly urlOf?: ((request: Request) => string) | undefined
  /** How to keep others from reading the body, in the words of a framework. */
  readonly advice?: string | undefined
}

/** Takes a request and answers it. */
export type FetchHandler = (request: Request) => Promise<Response>

/** The handler for whatever speaks `Request` and `Response`. It never rejects. */
export function createFetchHandler(options: FetchHandlerOptions): FetchHandler {
  const { door, source, readSeconds = defaultReadSeconds, urlOf = ownUrl, advice = ownAdvice } = options
  const report = reporter(options.onError ?? door.onError)

  return async (request) => {
    if (request.bodyUsed || request.body?.locked === true) {
      report(bodyAlreadyParsed(advice))
      return toResponse(errorAnswer)
    }
    const answer = await admit(
      door,
      {
        source: source ?? sourceOfUrl(request.url),
        method: request.method,
        url: urlOf(request),
        headers: toDeliveryHeaders(request.headers),
        readBody: (limitBytes) =>
          readWebBody(request.body, {
            limitBytes,
            readSeconds,
            announcedLength: request.headers.get('content-length') ?? undefined,
          }),
        readSeconds,
      },
      report,
    )
    return toResponse(answer)
  }
}

/** For whoever has no framework that could be named. */
export const ownAdvice: string =
  'Pass the request on before anything calls request.json(), request.text() or the like; ' +
  'where something else needs the body too, let it read request.clone().'

function ownUrl({ url }: Request): string {
  return url
}

function toResponse({ status, headers, body }: Answer): Response {
  return new Response(body ?? null, headers === undefined ? { status } : { status, headers })
}
