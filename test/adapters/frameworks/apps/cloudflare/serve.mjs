// The Worker as `wrangler` would bundle it, in the runtime of Cloudflare itself.
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

const { DATABASE_URL, SCHEMA, PORT } = process.env
const database = new URL(DATABASE_URL)
// Hyperdrive wants one, wherever it connects to.
if (database.password === '') database.password = 'none'
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('worker.mjs', import.meta.url))],
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  mainFields: ['browser', 'module', 'main'],
  // `pg` asks for what Node brings by `require`.
  banner: { js: "import { createRequire } from 'node:module'\nconst require = createRequire('/')" },
  external: ['node:*', 'cloudflare:*', '@electric-sql/pglite', '@electric-sql/pglite/nodefs', 'pg-native'],
  alias: Object.fromEntries(nodeModules().map((name) => [name, `node:${name}`])),
})
const miniflare = new Miniflare({
  modules: [{ type: 'ESModule', path: 'worker.mjs', contents: outputFiles[0].text }],
  compatibilityDate: '2026-04-01',
  compatibilityFlags: ['nodejs_compat'],
  hyperdrives: { HYPERDRIVE: database.href },
  bindings: { SCHEMA },
  host: '127.0.0.1',
  port: Number(PORT),
})
await miniflare.ready

/** Written without `node:` by `pg`. */
function nodeModules() {
  return [
    'assert',
    'buffer',
    'crypto',
    'dns',
    'events',
    'fs',
    'net',
    'path',
    'stream',
    'string_decoder',
    'tls',
    'url',
    'util',
  ]
}
