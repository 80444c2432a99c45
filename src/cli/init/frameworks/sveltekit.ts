import type { FrameworkTemplate } from '../framework-template.ts'

export const sveltekit: FrameworkTemplate = {
  title: 'SvelteKit',
  folder: 'lib/server/webhooks',
  modules: 'bundled',
  files: ({ style: { extension, typed } }) => [
    {
      path: `src/routes/webhooks/[source]/+server.${extension}`,
      text: `import { svelteKitHandler } from 'oncehook/sveltekit'
import { inbox } from '$lib/server/webhooks/inbox'

export const fallback = svelteKitHandler(inbox)
`,
    },
    {
      path: `src/hooks.server.${extension}`,
      text: `import { startWebhooks } from '$lib/server/webhooks/inbox'

export async function init()${typed(': Promise<void>')} {
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
