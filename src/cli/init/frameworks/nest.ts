import { type FrameworkTemplate, routeFile, wiringImports } from '../framework-template.ts'

export const nest: FrameworkTemplate = {
  title: 'NestJS',
  folder: 'webhooks',
  entry: /\bNestFactory\.create\b/,
  files: (place) => [
    routeFile(place, {
      imports: `import { nestHandler } from 'oncehook/nest'`,
      handler: 'nestHandler(inbox)',
      how: 'Mount it between NestFactory.create and app.listen, where no body parser has been yet.',
    }),
  ],
  wiring: (place) => [
    ...wiringImports(place),
    `app.use('/webhooks', webhooks) // after NestFactory.create, before app.listen`,
    'await startWebhooks()',
  ],
}
