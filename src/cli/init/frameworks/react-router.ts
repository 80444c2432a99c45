import type { FrameworkTemplate } from '../framework-template.ts'

export const reactRouter: FrameworkTemplate = {
  title: 'React Router',
  folder: 'webhooks',
  modules: 'bundled',
  files: ({ style }) => [
    {
      path: `app/routes/webhooks.$source.${style.extension}`,
      text: `import { remixHandler } from 'oncehook/remix'
import { inbox } from '../webhooks/inbox'

export const action = remixHandler(inbox)
export const loader = action // for GET and HEAD
`,
    },
  ],
  wiring: ({ style }) => [
    `app/routes.${style.extension}: add route('webhooks/:source', 'routes/webhooks.$source.${style.extension}'), unless it reads the folder by itself`,
    `app/entry.server: import { startWebhooks } from './webhooks/inbox', and call it once`,
  ],
}
