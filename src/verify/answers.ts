import type { Answer } from './provider.ts'

/** 200 with a JSON body. */
export function jsonAnswer(body: unknown): Answer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** 200 with a text that a stranger may have chosen: no browser takes it for a page. */
export function plainTextAnswer(body: string): Answer {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
  return { status: 200, headers, body }
}
