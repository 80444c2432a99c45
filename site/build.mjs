// Gathers the pages from where they are written, makes the reference of the API, and builds the site or serves it while it is written.
//
//   node --import tsx site/build.mjs          site/.vitepress/dist
//   node --import tsx site/build.mjs --dev    a server that follows changes of the pages; the reference is made once
//
// `--keep-api` leaves the reference as it was made last, which saves half a minute.
import { watch } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, createServer } from 'vitepress'
import { writeApi } from './api.mjs'
import { pagesOfDocs } from './pages.ts'
import { pagesOfProject, sitePathOf, toSitePage } from './site-page.ts'

const site = fileURLToPath(new URL('.', import.meta.url))
const root = join(site, '..')
const target = join(site, 'pages')

const given = process.argv.slice(2)
if (!given.includes('--keep-api')) await rm(target, { recursive: true, force: true })
await gather()
if (!given.includes('--keep-api')) await writeApi(join(target, 'api'))
if (given.includes('--dev')) await serve()
else await build(site)

async function gather() {
  const { repository } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const address = repository === undefined ? undefined : `${addressOf(repository)}/blob/main`
  await put('index.md', await readFile(join(site, 'index.md')))
  await put('public/logo.svg', await readFile(join(site, 'logo.svg')))
  for (const page of [...pagesOfDocs(root), ...pagesOfProject.keys()]) {
    const content = await readFile(join(root, page))
    await put(sitePathOf(page), page.endsWith('.md') ? toSitePage(page, content.toString(), address) : content)
  }
}

/** Only what changed is written, so that a server shows it at once and nothing else. */
async function put(path, content) {
  const file = join(target, path)
  const before = await readFile(file).catch(() => undefined)
  if (before?.equals(Buffer.from(content))) return
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
}

async function serve() {
  for (const folder of [root, join(root, 'docs'), join(root, 'docs/providers'), site]) {
    watch(folder, (_, name) => {
      if (/\.(?:md|svg)$/.test(name ?? '')) gather().catch(console.error)
    })
  }
  const server = await createServer(site)
  await server.listen()
  server.printUrls()
}

function addressOf(repository) {
  const url = typeof repository === 'string' ? repository : repository.url
  return url.replace(/^git\+/, '').replace(/\.git$/, '')
}
