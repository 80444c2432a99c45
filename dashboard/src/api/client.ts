/** Why a call did not give what was asked for, in words for people. */
export type Failure = {
  readonly kind: 'offline' | 'login' | 'forbidden' | 'missing' | 'conflict' | 'invalid' | 'failed'
  readonly status: number
  readonly code: string
  readonly message: string
  readonly details: readonly string[]
}

export type Result<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  | { readonly kind: 'failed'; readonly failure: Failure }

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type Api = {
  readonly call: <Value>(method: Method, path: string, options?: CallOptions) => Promise<Result<Value>>
  /** Goes with everything that changes something. */
  readonly setCsrf: (token: string | undefined) => void
  /** Called when the session has ended. */
  readonly onLoginNeeded: (listener: () => void) => void
}

export type CallOptions = { readonly body?: unknown; readonly signal?: AbortSignal }

/** The API is beside the app, wherever that is mounted. */
export const apiBase = (): URL => new URL('api/v1/', document.baseURI.replace(/[?#].*$/, ''))

/** Speaks to the API and to nobody else. */
export function createApi(base: URL = apiBase()): Api {
  let csrf: string | undefined
  let loginNeeded: () => void = () => {}

  return { call, setCsrf: (token) => void (csrf = token), onLoginNeeded: (listener) => void (loginNeeded = listener) }

  async function call<Value>(method: Method, path: string, options: CallOptions = {}): Promise<Result<Value>> {
    const { body, signal } = options
    const headers: Record<string, string> = { accept: 'application/json' }
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (method !== 'GET' && csrf !== undefined) headers['x-oncehook-csrf'] = csrf
    try {
      const response = await fetch(new URL(path, base), {
        method,
        headers,
        credentials: 'same-origin',
        redirect: 'error',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      })
      const document = await documentOf(response)
      if (response.ok) return { kind: 'ok', value: document as Value }
      if (response.status === 401) loginNeeded()
      return { kind: 'failed', failure: failureOf(response.status, document) }
    } catch {
      return { kind: 'failed', failure: offline }
    }
  }
}

/** Parts of a path, each as one, and a query without what is empty. */
export function apiPath(parts: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, value)
  }
  const tail = parameters.toString()
  return `${parts.map(encodeURIComponent).join('/')}${tail === '' ? '' : `?${tail}`}`
}

const offline: Failure = {
  kind: 'offline',
  status: 0,
  code: 'offline',
  message: 'The server cannot be reached. Is it still running?',
  details: [],
}

async function documentOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const kinds: Readonly<Record<number, Failure['kind']>> = {
  400: 'invalid',
  401: 'login',
  403: 'forbidden',
  404: 'missing',
  409: 'conflict',
  413: 'invalid',
  415: 'invalid',
  422: 'invalid',
}

/** Reads the error document of the API; anything else, for example of a proxy in between, is told by its status. */
export function failureOf(status: number, document: unknown): Failure {
  const error = (document as { error?: { code?: unknown; message?: unknown; details?: unknown } } | undefined)?.error
  const details = Array.isArray(error?.details) ? error.details.map(detailText) : []
  return {
    kind: kinds[status] ?? 'failed',
    status,
    code: typeof error?.code === 'string' ? error.code : `http_${status}`,
    message: typeof error?.message === 'string' ? error.message : `The server answered ${status}.`,
    details,
  }
}

function detailText(detail: unknown): string {
  if (typeof detail === 'string') return detail
  const { path, message } = (detail ?? {}) as { path?: unknown; message?: unknown }
  return [path, message].filter((part) => typeof part === 'string' && part !== '').join(': ') || JSON.stringify(detail)
}
