import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { respond } from './answers.ts'

/** Answers with a file of the dashboard. `path` begins after the mount; undefined if there is no such file. */
export type ServeAssets = (request: Request, path: string, mount: string) => Promise<Response | undefined>

type Asset = { readonly type: string; readonly content: Buffer; readonly packed: Buffer }

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Where the build puts them, beside this file's folder. */
const builtFolder = new URL('../dashboard/', import.meta.url)

/** Serves what was built, and nothing else: only names that are in the folder are known, and they are read once. */
export function createServeAssets(folder: URL = builtFolder): ServeAssets {
  let reading: Promise<ReadonlyMap<string, Asset>> | undefined

  return async (request, path, mount) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    // Relative addresses are relative to a folder, so that has to end with a slash.
    if (path === '') return respond(null, { status: 308, headers: { location: `${mount}/` } })
    reading ??= readAssets(folder)
    const assets = await reading
    if (assets.size === 0) {
      reading = undefined
      return path === '/'
        ? respond(notBuilt, { status: 503, headers: { 'content-type': 'text/plain; charset=utf-8' } })
        : undefined
    }
    const name = path === '/' ? 'index.html' : path.slice(1)
    const asset = assets.get(name)
    if (asset === undefined) return undefined
    return name === 'index.html' ? answerPage(request, asset, mount) : answerFile(request, asset, name)
  }
}

const notBuilt = 'The dashboard is not there: it is made by "npm run build". The API is at api/v1.\n'

async function readAssets(folder: URL): Promise<ReadonlyMap<string, Asset>> {
  const names = await readdir(fileURLToPath(folder), { recursive: true }).catch(() => [])
  const known = names.map((name) => name.replaceAll('\\', '/')).filter((name) => types[extname(name)] !== undefined)
  const entries = known.map(async (name): Promise<[string, Asset]> => {
    const content = await readFile(new URL(name, folder))
    return [name, { type: types[extname(name)] ?? '', content, packed: await promisify(gzip)(content, { level: 9 }) }]
  })
  return new Map(await Promise.all(entries))
}

/** The page says where it is mounted, and is asked for again each time: it names the files of its version. */
function answerPage(request: Request, { type, content }: Asset, mount: string): Response {
  const page = content.toString('utf8').replace('<head>', () => `<head>\n    <base href="${escaped(mount)}/" />`)
  const headers = { 'content-type': type, 'cache-control': 'no-cache' }
  return respond(request.method === 'HEAD' ? null : page, { status: 200, headers })
}

/** Names of files in `assets` hold a hash of what is in them, so these never change. */
function answerFile(request: Request, { type, content, packed }: Asset, name: string): Response {
  const isPacked = /(?:^|[,\s])gzip\s*(?:,|$)/i.test(request.headers.get('accept-encoding') ?? '')
  const headers = {
    'content-type': type,
    'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    vary: 'accept-encoding',
    ...(isPacked && { 'content-encoding': 'gzip' }),
  }
  const body = new Uint8Array(isPacked ? packed : content)
  return respond(request.method === 'HEAD' ? null : body, { status: 200, headers })
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
