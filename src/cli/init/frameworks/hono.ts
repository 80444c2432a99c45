import { type FrameworkTemplate, routeFile, serverFile, wiringImports } from '../framework-template.ts'

export const hono: FrameworkTemplate = {
  title: 'Hono',
  folder: 'webhooks',
  entry: /\bnew Hono\b/,
  files: (place) => [
    routeFile(place, {
      imports: `import { honoHandler } from 'oncehook/hono'`,
      handler: 'honoHandler(inbox)',
      how: 'Keep middleware that reads the body from it.',
    }),
  ],
  server: {
    packages: ['hono', '@hono/node-server'],
    file: (place) =>
      serverFile(place, {
        imports: `import { serve } from '@hono/node-server'\nimport { Hono } from 'hono'`,
        app: `const app = new Hono()\napp.all('/webhooks/:source', webhooks)`,
        listen: 'serve({ fetch: app.fetch, port })',
      }),
  },
  wiring: (place) => [
    ...wiringImports(place),
    `app.all('/webhooks/:source', webhooks)`,
    'await startWebhooks() // before the server listens',
  ],
}
