import type { FrameworkTemplate } from '../framework-template.ts'

export const sveltekit: FrameworkTemplate = {
  title: 'SvelteKit',
  folder: 'lib/server/webhooks',
  modules: 'bundled',
  files: ({ style: { extension, typed } }) => [
    {
      path: `src/routes/webhooks/[source]/+server.${extension}`,
      text: `${typed("import type { RequestHandler } from './$types'\n")}import { svelteKitHandler } from 'oncehook/sveltekit'

// Loaded when a request comes: a build imports this file, and has no secrets.
export const fallback${typed(': RequestHandler')} = async (event) => {
  const { inbox } = await import('$lib/server/webhooks/inbox')
  return svelteKitHandler(inbox)(event)
}
`,
    },
    {
      path: `src/hooks.server.${extension}`,
      text: `import { building } from '$app/environment'

export async function init()${typed(': Promise<void>')} {
  if (building) return
  const { startWebhooks } = await import('$lib/server/webhooks/inbox')
  await startWebhooks()
}
`,
    },
  ],
  wiring: () => [
    'svelte.config.js: set csrf.checkOrigin to false if a provider sends forms (Twilio, Slack)',
    'adapter-node: BODY_SIZE_LIMIT says how long a body may be; its default is 512 KB',
  ],
}
