import { nextHandler } from 'oncehook/next'

// Loaded when a request comes: a build imports this file, and has no secrets.
export async function POST(request: Request): Promise<Response> {
  const { inbox } = await import('../../../lib/inbox')
  return nextHandler(inbox)(request)
}
