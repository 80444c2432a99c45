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
import { inbox } from '../../../lib/webhooks/inbox'

// Under every method that your providers use: some greet with GET.
export const POST = nextHandler(inbox)
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
    const text = `import { nextApiHandler } from 'oncehook/next'
import { inbox } from '../../../lib/webhooks/inbox'

// Keeps Next.js from parsing the body: a signature is over bytes.
export const config = { api: { bodyParser: false } }

export default nextApiHandler(inbox)
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
