// Routes as the compiler of React Router would hand them over, in front of its own server.
import { createServer } from 'node:http'
import { createRequestListener } from '@react-router/node'
import { remixHandler } from 'oncehook/remix'
import { inboxOfProcess } from '../inbox.mjs'

const handle = remixHandler(inboxOfProcess())
const route = (id, module) => [id, { id, path: `${id}/:source`, module: { default: undefined, ...module } }]
const assets = { version: '1', url: '/manifest.js', entry: { module: '/entry.js', imports: [] }, routes: {} }
const build = {
  entry: { module: { default: () => new Response('no page') } },
  routes: Object.fromEntries([
    route('webhooks', { action: handle, loader: handle }),
    route('parsed', {
      async action(given) {
        await given.request.json()
        return handle(given)
      },
    }),
  ]),
  assets,
  publicPath: '/',
  assetsBuildDirectory: 'none',
  future: {},
  isSpaMode: false,
  ssr: true,
  prerender: [],
  routeDiscovery: { mode: 'initial' },
  allowedActionOrigins: ['**'],
}
createServer(createRequestListener({ build, mode: 'production' })).listen(Number(process.env.PORT), '127.0.0.1')
