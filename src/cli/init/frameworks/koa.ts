import { type FrameworkTemplate, routeFile, serverFile, wiringImports } from '../framework-template.ts'

const mount = `app.use((context, next) => (context.path.startsWith('/webhooks/') ? webhooks(context) : next()))`

export const koa: FrameworkTemplate = {
  title: 'Koa',
  folder: 'webhooks',
  entry: /\bnew Koa\b/,
  files: (place) => [
    routeFile(place, {
      imports: `import { koaHandler } from 'oncehook/koa'`,
      handler: 'koaHandler(inbox)',
      how: 'Mount it before koa-bodyparser, which would keep none of the bytes that are signed.',
    }),
  ],
  server: {
    packages: ['koa'],
    types: ['@types/koa'],
    file: (place) =>
      serverFile(place, {
        imports: `import Koa from 'koa'`,
        app: `const app = new Koa()\n${mount} // before any body parser`,
        listen: 'app.listen(port)',
      }),
  },
  wiring: (place) => [
    ...wiringImports(place),
    `${mount} // before any body parser`,
    'await startWebhooks() // before app.listen()',
  ],
}
