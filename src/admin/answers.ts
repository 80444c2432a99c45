import { type Refusal, statusOfRefusal } from './refusal.ts'

/**
 * Sent with everything. Nothing may run, be shown or be called that is not from here, nobody may show us in a frame, and no browser
 * may take our bytes for something else.
 */
const safetyHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
    "manifest-src 'self'; base-uri 'self'; form-action 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const

type Sent = { readonly status: number; readonly headers?: Readonly<Record<string, string>> }

/** Any answer, with what keeps browsers safe. */
export function respond(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  { status, headers }: Sent,
): Response {
  return new Response(body, { status, headers: { ...safetyHeaders, ...headers } })
}

/** JSON that nobody keeps: it was asked for by somebody who may see it. */
export function respondJson(document: unknown, { status, headers }: Sent): Response {
  return respond(document === undefined ? null : JSON.stringify(document), {
    status,
    headers: {
      ...(document !== undefined && { 'content-type': 'application/json; charset=utf-8' }),
      'cache-control': 'no-store',
      ...headers,
    },
  })
}

/** The one form of everything that is not answered. */
export function respondRefusal({ code, message, details, headers }: Refusal): Response {
  const error = { code, message, ...(details.length > 0 && { details }) }
  return respondJson({ error }, { status: statusOfRefusal(code), headers })
}
