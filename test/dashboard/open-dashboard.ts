import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { shopify } from '../../src/providers/shopify.ts'
import { stripe } from '../../src/providers/stripe.ts'
import { forkProgram } from '../support/compiled.ts'
import { dashboardBuild } from '../support/dashboard-build.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { debianProgram } from '../support/debian-package.ts'

/** A page of the dashboard, and what a browser complained of meanwhile. */
export type OpenPage = {
  readonly page: Page
  /** Violations of the content security policy, scripts that ran, errors, and requests to anybody else. */
  readonly complaints: readonly string[]
  readonly go: (hash: string) => Promise<void>
}

export type Visit = { readonly path?: string; readonly hash?: string } & BrowserContextOptions

/** A browser. Undefined where there is none, so that tests are skipped. */
export type TestBrowser = {
  readonly open: (url: string, visit?: Visit) => Promise<OpenPage>
  readonly close: () => Promise<void>
}

export async function openBrowser(): Promise<TestBrowser | undefined> {
  const executablePath = await debianProgram('chromium')
  if (executablePath === undefined) return undefined
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  return { open: (url, visit) => openPage(browser, url, visit), close: () => browser.close() }
}

/** Runs before anything of the page: whatever a payload might set off leaves a trace. */
const traps = `
  document.addEventListener('securitypolicyviolation', (event) => console.error('CSP ' + event.violatedDirective + ' ' + event.blockedURI))
  window.alert = window.pwned = () => console.error('A script of a payload ran')
`

async function openPage(browser: Browser, url: string, visit: Visit = {}): Promise<OpenPage> {
  const { path = '/', hash = '', ...options } = visit
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  })
  await context.addInitScript(traps)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== url) complaints.push(`Request to ${request.url()}`)
  })
  page.on('pageerror', (error) => complaints.push(`Error ${error.message}`))
  // Answers that say no are shown to the reader; the browser's own line about them is none of ours.
  page.on('console', (message) => {
    const isNoise = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isNoise) complaints.push(message.text())
  })
  await page.goto(`${url}${path}${hash}`)
  await page.locator('h1').first().waitFor()
  const go = async (next: string): Promise<void> => {
    await page.evaluate(`location.hash = ${JSON.stringify(next)}`)
  }
  return { page, complaints, go }
}

/** A gateway in a process of its own, on a real PostgreSQL. */
export type TestGateway = {
  readonly url: string
  /** Of an app of Express in the same process, with the dashboard below `/admin/hooks`. */
  readonly appUrl: string
  readonly database: TestDatabase
  /** Sends a signed event over HTTP; answers with the status. */
  readonly send: (event: SentEvent) => Promise<number>
  readonly turnHandler: (isBroken: boolean) => Promise<void>
  /** Whether messages reach `crm`. */
  readonly turnTarget: (isBroken: boolean) => Promise<void>
  readonly close: () => Promise<void>
}

export type SentEvent = {
  readonly id: string
  readonly source?: 'stripe' | 'shop'
  readonly type?: string
  readonly payload?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly isForged?: boolean
  /** Of `shop` only, which has had another secret before. */
  readonly isSignedWithOlder?: boolean
  /** Where it goes instead of to its source. */
  readonly to?: string
}

/** Of the tests' own, as in the program. */
const signers = {
  stripe: stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' }),
  shop: shopify({ secret: 'shop-0123456789abcdef0123456789abcdef' }),
  older: shopify({ secret: 'shop-older-0123456789abcdef01234567' }),
  wrong: stripe({ secret: 'whsec_ffffffffffffffffffffffffffffffff' }),
}

function signerOf({ source = 'stripe', isForged = false, isSignedWithOlder = false }: SentEvent) {
  return signers[isForged ? 'wrong' : isSignedWithOlder ? 'older' : source]
}

export async function openGateway(environment: Readonly<Record<string, string>> = {}): Promise<TestGateway> {
  await dashboardBuild()
  const database = await createTestDatabase()
  const places = { DATABASE_URL: database.url, SCHEMA: database.schema }
  const child = await forkProgram('test/dashboard/gateway-child.ts', { ...places, ...environment })
  const { url = '', appUrl = '' } = await heard(child, 'ready')
  const turn = async (part: 'handler' | 'target', isBroken: boolean): Promise<void> => {
    const turned = heard(child, 'turned')
    child.send({ part, isBroken })
    await turned
  }

  return {
    url,
    appUrl,
    database,
    async send(sent) {
      const { id, source = 'stripe', type, payload, to = `${url}/in/${source}` } = sent
      const event = { id, ...(type !== undefined && { type }), ...(payload !== undefined && { payload }) }
      const delivery = signerOf(sent).sign(event, new Date())
      const headers = new Headers(
        Object.fromEntries([...delivery.headers].map(([name, values]) => [name, String(values)])),
      )
      for (const [name, value] of Object.entries(sent.headers ?? {})) headers.set(name, value)
      const response = await fetch(to, { method: 'POST', headers, body: new Uint8Array(delivery.body) })
      await response.arrayBuffer()
      return response.status
    },
    turnHandler: (isBroken) => turn('handler', isBroken),
    turnTarget: (isBroken) => turn('target', isBroken),
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      await database.drop()
    },
  }
}

type Heard = { readonly kind: string; readonly url?: string; readonly appUrl?: string }

function heard(child: ChildProcess, kind: string): Promise<Heard> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: Heard) => {
      if (message.kind === kind) resolve(message)
    })
    child.once('exit', (code) => reject(new Error(`The gateway ended with ${code}.`)))
  })
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds serious or critical on the page as it is. Run outside the page's own policy, which lets no foreign script in. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axeSource)
  const findings = await page.evaluate<
    readonly Finding[]
  >(`axe.run(document, { resultTypes: ['violations'] }).then((result) =>
    result.violations.map(({ id, impact, nodes }) => ({ id, impact, where: nodes.map(({ target }) => String(target)) })))`)
  return findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, where }) => `${id} at ${where.join(', ')}`)
}

type Finding = { readonly id: string; readonly impact: string; readonly where: readonly string[] }
