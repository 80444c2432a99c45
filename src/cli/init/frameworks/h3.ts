import { type FrameworkTemplate, routeFile, serverFile, wiringImports } from '../framework-template.ts'

/** Nitro and Nuxt find their routes and plugins by folders. */
export const nitro: FrameworkTemplate = {
  title: 'Nitro or Nuxt',
  folder: 'server/webhooks',
  modules: 'bundled',
  files: ({ style: { extension } }) => [
    {
      path: `server/routes/webhooks/[source].${extension}`,
      text: `import { defineEventHandler } from 'h3'
import { h3Handler } from 'oncehook/h3'
import { inbox } from '../../webhooks/inbox'

export default defineEventHandler(h3Handler(inbox))
`,
    },
    {
      path: `server/plugins/webhooks.${extension}`,
      text: `import { startWebhooks } from '../webhooks/inbox'

export default () => void startWebhooks()
`,
    },
  ],
  wiring: () => [],
}

export const h3: FrameworkTemplate = {
  title: 'h3',
  folder: 'webhooks',
  entry: /\bnew H3\b|\bcreateApp\(/,
  files: (place) => [
    routeFile(place, {
      imports: `import { h3Handler } from 'oncehook/h3'`,
      handler: 'h3Handler(inbox)',
      how: 'Keep what reads the body from it.',
    }),
  ],
  server: {
    packages: ['h3'],
    file: (place) =>
      serverFile(place, {
        imports: `import { H3, serve } from 'h3'`,
        app: `const app = new H3()\napp.all('/webhooks/**', webhooks)`,
        listen: 'serve(app, { port })',
      }),
  },
  wiring: (place) => [
    ...wiringImports(place),
    `app.all('/webhooks/**', webhooks)`,
    'await startWebhooks() // before the server listens',
  ],
}
