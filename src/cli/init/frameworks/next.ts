import type { FrameworkPlace, FrameworkTemplate, NewFile } from '../framework-template.ts'

const shared = {
  folder: 'lib/webhooks',
  modules: 'bundled',
  wiring: () => [`next.config: add serverExternalPackages: ['oncehook', 'pg']`],
} as const

export const nextApp: FrameworkTemplate = {
  ...shared,
  title: 'Next.js, app router',
  files: (place) => {
    const { style, sources } = place
    const text = `import { nextHandler } from 'oncehook/next'

// Loaded when a request comes: a build imports this file, and has no secrets.
export async function POST(request${style.typed(': Request')})${style.typed(': Promise<Response>')} {
  const { inbox } = await import('../../../lib/webhooks/inbox')
  return nextHandler(inbox)(request)
}

// Some providers greet with it.
export const GET = POST
`
    return [{ path: `${sources}app/webhooks/[source]/route.${style.extension}`, text }, instrumentation(place)]
  },
}

export const nextPages: FrameworkTemplate = {
  ...shared,
  title: 'Next.js, pages router',
  files: (place) => {
    const { style, sources } = place
    const types = style.typed(`import type { NextApiRequest, NextApiResponse } from 'next'\n`)
    const parameters = style.isTypeScript ? 'request: NextApiRequest, response: NextApiResponse' : 'request, response'
    const text = `${types}import { nextApiHandler } from 'oncehook/next'

// Keeps Next.js from parsing the body: a signature is over bytes.
export const config = { api: { bodyParser: false } }

// Loaded when a request comes: a build imports this file, and has no secrets.
export default async function webhooks(${parameters})${style.typed(': Promise<void>')} {
  const { inbox } = await import('../../../lib/webhooks/inbox')
  await nextApiHandler(inbox)(request, response)
}
`
    return [{ path: `${sources}pages/api/webhooks/[source].${style.extension}`, text }, instrumentation(place)]
  },
}

/** Next.js calls it once when a server starts. */
function instrumentation({ style, sources }: FrameworkPlace): NewFile {
  const text = `export async function register()${style.typed(': Promise<void>')} {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { startWebhooks } = await import('./lib/webhooks/inbox')
  await startWebhooks()
}
`
  return { path: `${sources}instrumentation.${style.extension}`, text }
}
