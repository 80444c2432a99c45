import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { htmlReport } from '../../src/prover/reports/html-report.ts'
import { debianProgram } from '../support/debian-package.ts'
import { failedReport } from './failed-report.ts'

const folder = mkdtempSync(join(tmpdir(), 'oncehook-report-'))
const file = join(folder, 'report.html')
let browser: Browser | undefined

beforeAll(async () => {
  writeFileSync(file, htmlReport(failedReport))
  const executablePath = await debianProgram('chromium')
  if (executablePath === undefined) return
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
})

afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Opens the report without a network, and tells what a person would see. */
async function look(width: number, skip: () => void) {
  if (browser === undefined) return skip() as never
  const context = await browser.newContext({ viewport: { width, height: 800 }, offline: true })
  const page = await context.newPage()
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(pathToFileURL(file).href)
  const seen = await page.evaluate<Seen>(inspectPage)
  await context.close()
  return { ...seen, requests, complaints }
}

type Seen = {
  readonly title: string
  readonly text: string
  readonly isWiderThanScreen: boolean
  readonly bars: number
  readonly smallestText: number
  readonly wasScriptRun: boolean
}

/** Runs in the page. */
const inspectPage = `({
  title: document.title,
  text: document.body.innerText,
  isWiderThanScreen: document.documentElement.scrollWidth > window.innerWidth,
  bars: [...document.querySelectorAll('svg rect')].filter((bar) => bar.getBoundingClientRect().width > 0).length,
  smallestText: Math.min(...[...document.querySelectorAll('p, td, dd, li')].map((one) => parseFloat(getComputedStyle(one).fontSize))),
  wasScriptRun: 'wasRun' in window,
})`

describe('the HTML report', () => {
  test.for([1280, 390])('opens offline at %d pixels and shows the timeline of a failure', async (width, { skip }) => {
    const seen = await look(width, skip)

    expect(seen.title).toBe('Not safe: http://127.0.0.1:4500/stripe')
    expect(seen.text).toContain('50 copies at once → 3 effects')
    expect(seen.text).toContain('Select, then insert.')
    expect(seen.text).toContain('docs/prover.md#select-then-insert')
    expect(seen.bars).toBe(6)
    expect(seen.isWiderThanScreen).toBe(false)
    expect(seen.smallestText).toBeGreaterThanOrEqual(14)
    expect(seen.requests).toEqual([pathToFileURL(file).href])
    expect(seen.complaints).toEqual([])
  })

  test('shows hostile texts as texts', async ({ skip }) => {
    const seen = await look(800, skip)

    expect(seen.text).toContain('<script>wasRun = 1</script>')
    expect(seen.wasScriptRun).toBe(false)
  })
})
