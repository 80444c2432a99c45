import { execFile } from 'node:child_process'
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join, normalize } from 'node:path/posix'
import { promisify } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pagesOfDocs } from '../../site/pages.ts'
import { sitePathOf } from '../../site/site-page.ts'
import { root } from '../docs/pages.ts'
import { debianProgram } from '../support/debian-package.ts'

const folder = join(root, 'site/.vitepress/dist')
let server: Server
let address: string
let browser: Browser | undefined

beforeAll(async () => {
  await promisify(execFile)(process.execPath, ['scripts/site.mjs', 'build'], { cwd: root, maxBuffer: 2 ** 26 })
  server = serveFolder()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const executablePath = await debianProgram('chromium')
  if (executablePath !== undefined) {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  }
})

afterAll(async () => {
  await browser?.close()
  server?.close()
})

describe('the built site', () => {
  test('has every page of docs', () => {
    const pages = pagesOfDocs(root).filter((path) => path.endsWith('.md'))

    expect(pages.filter((path) => !existsSync(join(folder, `${(sitePathOf(path) ?? '').slice(0, -3)}.html`)))).toEqual(
      [],
    )
  })

  test('has no link to a page or a heading that is not there', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'))
    const idsOf = new Map(
      files.map((file) => [file, new Set(valuesOf(readFileSync(join(folder, file), 'utf8'), 'id'))]),
    )
    const broken = files.flatMap((file) =>
      [...new Set(valuesOf(contentOf(readFileSync(join(folder, file), 'utf8')), 'href'))].flatMap((link) =>
        isThere(file, link, idsOf) ? [] : [`${file}: ${link}`],
      ),
    )

    expect(files.length).toBeGreaterThan(250)
    expect(broken).toEqual([])
  })

  test('describes everything that can be imported', () => {
    const api = readFileSync(join(folder, 'api/oncehook.html'), 'utf8')

    for (const name of ['createInbox', 'isOncehookError', 'permanent'])
      expect(api).toContain(`id="${name.toLowerCase()}"`)
    for (const path of ['postgres', 'express', 'providers/stripe', 'testing']) {
      expect(existsSync(join(folder, `api/oncehook/${path}.html`))).toBe(true)
    }
  })
})

describe('in a browser without a network', () => {
  test.for([
    { name: 'desktop', width: 1280, height: 800 },
    { name: 'phone', width: 390, height: 844 },
  ])('searching finds a page and leads there, on a $name', async ({ width, height }, { skip }) => {
    const page = await openAt('/getting-started.html', { width, height })
    if (page === undefined) return skip()

    await page.locator('#local-search button').click()
    await page.locator('#localsearch-input').fill('dead letter')
    const first = page.locator('#localsearch-list a').first()
    await first.waitFor()
    const title = await first.textContent()
    await first.click()
    await page.waitForURL((url) => !url.pathname.endsWith('/getting-started.html'))

    expect(title?.toLowerCase()).toMatch(/dead letter/)
    // The address changes before the page does.
    await page
      .locator('main')
      .getByText(/dead letter/i)
      .first()
      .waitFor()
    await page.context().close()
  })

  test.for([
    '/',
    '/how-it-works.html',
    '/errors.html',
    '/providers/stripe.html',
    '/comparison.html',
    '/api/oncehook.html',
  ])('%s fits a phone and complains of nothing', async (path, { skip }) => {
    const page = await openAt(path, { width: 390, height: 844 })
    if (page === undefined) return skip()
    const complaints: string[] = []
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    await page.reload()

    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

    expect({ overflow, complaints }).toEqual({ overflow: 0, complaints: [] })
    await page.context().close()
  })
})

/** Every request to elsewhere fails, so that what works here works offline. */
async function openAt(path: string, viewport: { width: number; height: number }): Promise<Page | undefined> {
  const context = await browser?.newContext({ viewport })
  await context?.route(
    (url) => url.origin !== address,
    (route) => route.abort(),
  )
  const page = await context?.newPage()
  await page?.goto(address + path, { waitUntil: 'networkidle' })
  return page
}

function serveFolder(): Server {
  const types: Readonly<Record<string, string>> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
    '.svg': 'image/svg+xml',
  }
  return createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname))
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path)
    if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile())
      return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' })
    createReadStream(file).pipe(response)
  })
}

/** Without navigation, which is the same everywhere. */
function contentOf(html: string): string {
  return html.slice(Math.max(0, html.indexOf('<main')))
}

function valuesOf(html: string, attribute: string): readonly string[] {
  return [...html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) => value)
}

function isThere(from: string, link: string, idsOf: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  if (link === '' || /^(?:[a-z]+:|\/\/)/.test(link)) return true
  const [path = '', anchor] = link.split('#', 2)
  const place = path.startsWith('/') ? path.slice(1) : normalize(join(dirname(from), path))
  const file =
    path === '' ? from : /(?:^|\/)$/.test(place) || place === '.' ? `${place.replace(/\.?$/, '')}index.html` : place
  if (!file.endsWith('.html')) return existsSync(join(folder, file))
  const ids = idsOf.get(file)
  return ids !== undefined && (anchor === undefined || anchor === '' || ids.has(decodeURIComponent(anchor)))
}
