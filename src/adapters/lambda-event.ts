import { type DeliveryHeaders, firstHeader, toDeliveryHeaders } from '../delivery/delivery.ts'

/** What Lambda is called with by API Gateway (REST and HTTP), a function URL or a load balancer, as far as it is needed here. */
export type LambdaEvent = {
  /** `2.0` from HTTP APIs and function URLs. */
  readonly version?: string | undefined
  readonly httpMethod?: string | undefined
  readonly path?: string | undefined
  readonly rawPath?: string | undefined
  readonly rawQueryString?: string | undefined
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
  readonly queryStringParameters?: Readonly<Record<string, string | undefined>> | null | undefined
  readonly multiValueQueryStringParameters?: Readonly<Record<string, readonly string[] | undefined>> | null | undefined
  readonly cookies?: readonly string[] | undefined
  readonly body?: string | null | undefined
  readonly isBase64Encoded?: boolean | undefined
  readonly requestContext?: LambdaRequestContext | undefined
}

type LambdaRequestContext = {
  readonly http?: { readonly method?: string | undefined } | undefined
  /** The path with the stage, as it was called. */
  readonly path?: string | undefined
  readonly domainName?: string | undefined
  /** There if a load balancer calls. */
  readonly elb?: unknown
}

export type LambdaRequest = {
  readonly method: string
  readonly url: string
  readonly headers: DeliveryHeaders
  readonly body: Uint8Array
}

/** Undefined for what is no event of HTTP, such as one of a schedule or a queue. */
export function requestOfLambda(event: LambdaEvent): LambdaRequest | undefined {
  const method = event.requestContext?.http?.method ?? event.httpMethod
  if (method === undefined) return undefined
  const headers = headersOf(event)
  return { method, url: urlOf(event, headers), headers, body: bodyOf(event) }
}

/** Whether the caller reads an answer with several values for a header, and no other. */
export function hasMultiValueHeaders({ multiValueHeaders, requestContext }: LambdaEvent): boolean {
  return requestContext?.elb !== undefined && multiValueHeaders !== undefined && multiValueHeaders !== null
}

function headersOf({ headers, multiValueHeaders, cookies }: LambdaEvent): DeliveryHeaders {
  const sent = toDeliveryHeaders(multiValueHeaders ?? headers ?? {})
  return cookies === undefined ? sent : new Map([...sent, ['cookie', [cookies.join('; ')]]])
}

function urlOf(event: LambdaEvent, headers: DeliveryHeaders): string {
  const { rawPath, path = '/', requestContext = {} } = event
  const protocol = requestContext.elb === undefined ? 'https' : (firstHeader(headers, 'x-forwarded-proto') ?? 'http')
  const host = requestContext.domainName ?? firstHeader(headers, 'host') ?? 'localhost'
  const query = queryOf(event)
  const url = `${protocol}://${host}${rawPath ?? requestContext.path ?? path}${query === '' ? '' : `?${query}`}`
  return URL.canParse(url) ? url : 'https://localhost/'
}

/** REST APIs decode the query before they hand it over, load balancers do not. */
function queryOf(event: LambdaEvent): string {
  if (event.rawQueryString !== undefined) return event.rawQueryString
  const { multiValueQueryStringParameters, queryStringParameters, requestContext } = event
  const write = requestContext?.elb === undefined ? encodeURIComponent : (text: string) => text
  return Object.entries(multiValueQueryStringParameters ?? queryStringParameters ?? {})
    .flatMap(([name, values = []]) => [values].flat().map((value) => `${write(name)}=${write(value)}`))
    .join('&')
}

/** Text is UTF-8: what is not has to come in base64, or the gateway has changed it already. */
function bodyOf({ body, isBase64Encoded }: LambdaEvent): Uint8Array {
  return Buffer.from(body ?? '', isBase64Encoded === true ? 'base64' : 'utf8')
}
