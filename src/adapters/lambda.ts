import { STATUS_CODES } from 'node:http'
import { admit, type ReportError, reporter } from '../delivery/admit.ts'
import { errorAnswer } from '../delivery/answer.ts'
import type { HasDoor } from '../delivery/door.ts'
import { checkBody } from '../delivery/read-body.ts'
import { sourceOfUrl } from '../delivery/source-of-url.ts'
import { OncehookError } from '../errors.ts'
import type { Answer } from '../verify/provider.ts'
import { hasMultiValueHeaders, type LambdaEvent, requestOfLambda } from './lambda-event.ts'

export type { LambdaEvent } from './lambda-event.ts'

/** What the handler for AWS Lambda can be told. */
export type LambdaHandlerOptions = {
  /** Without it the last segment of the path names the source. */
  readonly source?: string | undefined
  /** Told of mistakes and failures that the sender only sees as a 500. Default: the inbox's log. */
  readonly onError?: ReportError | undefined
}

/** What a Lambda function answers, for every kind of event. */
export type LambdaAnswer = {
  readonly statusCode: number
  /** Load balancers want it. */
  readonly statusDescription: string
  readonly headers?: Readonly<Record<string, string>>
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>
  readonly body: string
  readonly isBase64Encoded: false
}

/** What AWS Lambda calls. */
export type LambdaHandler = (event: LambdaEvent) => Promise<LambdaAnswer>

/**
 * The handler for AWS Lambda behind API Gateway (REST and HTTP APIs), a function URL or an application load balancer:
 * `export const handler = lambdaHandler(inbox, 'stripe')`. What was counted is written before it returns, because the process is frozen then.
 */
export function lambdaHandler(inbox: HasDoor, sourceOrOptions: string | LambdaHandlerOptions = {}): LambdaHandler {
  const options = typeof sourceOrOptions === 'string' ? { source: sourceOrOptions } : sourceOrOptions
  const report = reporter(options.onError ?? inbox.door.onError)
  return async (event) => {
    const answer = await answerEvent(inbox, event, { source: options.source, report })
    await inbox.door.flush?.().catch(report)
    return toLambdaAnswer(answer, event)
  }
}

async function answerEvent(
  { door }: HasDoor,
  event: LambdaEvent,
  { source, report }: { readonly source: string | undefined; readonly report: ReportError },
): Promise<Answer> {
  const request = requestOfLambda(event)
  if (request === undefined) {
    report(notHttp())
    return errorAnswer
  }
  const { method, url, headers, body } = request
  const readBody = (limitBytes: number) => Promise.resolve(checkBody(body, limitBytes))
  return admit(door, { source: source ?? sourceOfUrl(url), method, url, headers, readBody }, report)
}

function toLambdaAnswer({ status, headers = {}, body = '' }: Answer, event: LambdaEvent): LambdaAnswer {
  const statusDescription = `${status} ${STATUS_CODES[status] ?? ''}`.trim()
  const answer = { statusCode: status, statusDescription, body, isBase64Encoded: false } as const
  if (!hasMultiValueHeaders(event)) return { ...answer, headers }
  const lists = Object.entries(headers).map(([name, value]): [string, readonly string[]] => [name, [value]])
  return { ...answer, multiValueHeaders: Object.fromEntries(lists) }
}

function notHttp(): OncehookError {
  return new OncehookError(
    'ONCEHOOK_INVALID_OPTIONS',
    'lambdaHandler was called with something that is no HTTP request of API Gateway, a function URL or a load balancer. ' +
      'For a schedule, export a function of its own that calls inbox.drain().',
  )
}
