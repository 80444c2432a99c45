import { type FrameworkTemplate, routeFile, serverFile, wiringImports } from '../framework-template.ts'

export const express: FrameworkTemplate = {
  title: 'Express',
  folder: 'webhooks',
  entry: /\bexpress\(\)/,
  files: (place) => [
    routeFile(place, {
      imports: `import { expressHandler } from 'oncehook/express'`,
      handler: 'expressHandler(inbox)',
      how: 'Mount it before express.json(), which would keep none of the bytes that are signed.',
    }),
  ],
  server: {
    packages: ['express'],
    types: ['@types/express'],
    file: (place) =>
      serverFile(place, {
        imports: `import express from 'express'`,
        app: `const app = express()\napp.use('/webhooks', webhooks) // before express.json()\napp.use(express.json())`,
        listen: 'app.listen(port)',
      }),
  },
  wiring: (place) => [
    ...wiringImports(place),
    `app.use('/webhooks', webhooks) // before express.json()`,
    'await startWebhooks() // before app.listen()',
  ],
}
