import { type FrameworkTemplate, routeFile, serverFile, wiringImports } from '../framework-template.ts'

export const none: FrameworkTemplate = {
  title: 'node:http',
  folder: 'webhooks',
  entry: /\bcreateServer\(/,
  files: (place) => [
    routeFile(place, {
      imports: `import { nodeHandler } from 'oncehook/node'`,
      handler: 'nodeHandler(inbox)',
      how: 'For node:http and Connect, before anything that parses bodies.',
    }),
  ],
  server: {
    packages: [],
    file: (place) =>
      serverFile(place, {
        imports: `import { createServer } from 'node:http'`,
        app: 'const server = createServer(webhooks)',
        listen: 'server.listen(port)',
      }),
  },
  wiring: (place) => [
    ...wiringImports(place),
    `if (request.url?.startsWith('/webhooks/')) return webhooks(request, response) // first in your listener`,
    'await startWebhooks() // before server.listen()',
  ],
}
