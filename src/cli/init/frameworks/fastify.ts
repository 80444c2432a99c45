import { type FrameworkTemplate, routeFile, serverFile, wiringImports } from '../framework-template.ts'

export const fastify: FrameworkTemplate = {
  title: 'Fastify',
  folder: 'webhooks',
  entry: /\b[fF]astify\(/,
  files: (place) => [
    routeFile(place, {
      imports: `import { fastifyWebhooks } from 'oncehook/fastify'`,
      handler: 'fastifyWebhooks(inbox)',
      how: 'A plugin that takes requests before Fastify parses them.',
    }),
  ],
  server: {
    packages: ['fastify'],
    file: (place) =>
      serverFile(place, {
        imports: `import { fastify } from 'fastify'`,
        app: `const app = fastify()\nawait app.register(webhooks, { prefix: '/webhooks' })`,
        listen: 'await app.listen({ port })',
      }),
  },
  wiring: (place) => [
    ...wiringImports(place),
    `await app.register(webhooks, { prefix: '/webhooks' })`,
    'await startWebhooks() // before app.listen()',
  ],
}
