import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { openBrowser, openGateway, seriousFindings, type TestBrowser, type TestGateway } from './open-dashboard.ts'

/** What runs a script somewhere, if it is ever taken for more than a text. */
const hostile = [
  '<script>pwned()</script>',
  '"><img src=x onerror=pwned()>',
  '<svg/onload=pwned()>',
  'javascript:pwned()',
  '{{constructor.constructor("pwned()")()}}',
  '<a href="javascript:pwned()">click</a>',
  '<style>*{display:none}</style>',
  '</title><script>pwned()</script>',
  '\u202egnp.exe',
]
const text = hostile.join(' ')

let gateway: TestGateway
let browser: TestBrowser | undefined
let receiptId = ''

beforeAll(async () => {
  browser = await openBrowser()
  if (browser === undefined) return
  gateway = await openGateway()
  const object = Object.fromEntries(hostile.map((name, index) => [name, { [name]: text, index }]))
  const payload = { data: { object: { id: hostile[1], object } } }
  await gateway.turnHandler(true)
  await gateway.send({
    id: `evt_${hostile[0]}`,
    type: hostile[2] ?? '',
    payload,
    headers: { 'user-agent': '<script>pwned()</script>"><img src=x onerror=pwned()>' },
  })
  await gateway.send({ id: 'evt_forged', isForged: true, headers: { 'user-agent': '<script>pwned()</script>' } })
  receiptId = await until(failedReceipt, (id) => id !== '')
  await put(
    'capture-endpoints/hostile/rules',
    { rules: [{ name: 'a', answer: { body: '<script>pwned()</script>' } }] },
    { name: 'hostile' },
  )
  for (const path of ['', '/<b>']) {
    await fetch(`${gateway.url}/capture/hostile${path}`, {
      method: 'POST',
      headers: { 'x-text': '<img src=x onerror=pwned()>' },
      body: text,
    })
  }
  await put('datastore/hostile/a%3Cb%3E', { value: { [text]: text } })
})

afterAll(async () => {
  await browser?.close()
  await gateway?.close()
})

async function failedReceipt(): Promise<string> {
  const response = await fetch(`${gateway.url}/api/v1/receipts?status=failed`)
  const { items } = (await response.json()) as { readonly items: readonly { readonly id: string }[] }
  return items[0]?.id ?? ''
}

/** Changes something over the API, after an endpoint was made where one is named. */
async function put(path: string, body: unknown, endpoint?: { readonly name: string }): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-oncehook-csrf': 'page' }
  if (endpoint !== undefined) {
    const made = { method: 'POST', headers, body: JSON.stringify(endpoint) }
    expect((await fetch(`${gateway.url}/api/v1/capture-endpoints`, made)).status).toBeLessThan(300)
  }
  const response = await fetch(`${gateway.url}/api/v1/${path}`, { method: 'PUT', headers, body: JSON.stringify(body) })
  expect(response.status).toBe(200)
}

/** Every page that there is something to see on. */
const pages = (): readonly (readonly [name: string, hash: string])[] => [
  ['overview', '#/'],
  ['events', '#/events'],
  ['a receipt', `#/receipts/${receiptId}`],
  ['dead letters', '#/dead-letters'],
  ['outbox', '#/messages'],
  ['sources', '#/sources'],
  ['a source', '#/sources/stripe'],
  ['datastore', '#/datastore'],
  ['values', '#/datastore/hostile'],
  ['automations', '#/automations'],
  ['alerts', '#/alerts'],
  ['audit log', '#/audit'],
  ['captures', '#/captures'],
  ['an endpoint', '#/captures/hostile'],
  ['its rules', '#/captures/hostile?view=rules'],
  ['a capture', '#/captures/hostile/1'],
  ['compare', '#/compare?items=capture:1,capture:2'],
  ['nothing to compare', '#/compare'],
  ['nothing', `#/${encodeURIComponent(text)}`],
]

describe('a hostile payload', () => {
  test('is text on every page, whatever is opened', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page, complaints, go } = await browser.open(gateway.url)

    for (const [, hash] of pages()) {
      await go(hash)
      await until(
        () => page.locator('.wait').count(),
        (waiting) => waiting === 0,
      )
    }
    await go(`#/receipts/${receiptId}`)
    await page.locator('.tree').waitFor()
    for (const button of await page.locator('.tree button[aria-expanded="false"]').all()) await button.click()
    expect(await page.locator('main').innerText()).toContain('<script>pwned()</script>')
    expect(await page.locator('main').innerText()).toContain('⟨202E⟩')
    await page.getByRole('tab', { name: 'Text' }).click()
    await page.getByRole('button', { name: 'Replay…' }).click()
    await page.getByRole('dialog').getByText('would fail').first().waitFor()
    await page.keyboard.press('Escape')
    await go('#/datastore/hostile')
    await page.getByRole('button', { name: 'a<b>' }).click()
    await page.getByRole('dialog').getByLabel('Value, as JSON').waitFor()

    expect(complaints).toEqual([])
    expect(await page.locator('a[href^="javascript"], main img, main script, main iframe').count()).toBe(0)
  })

  test('cannot lead away: every link stays inside', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page } = await browser.open(gateway.url, { hash: `#/receipts/${receiptId}` })
    await page.locator('.timeline').waitFor()

    const addresses = await page.evaluate<readonly string[]>(`[...document.links].map((link) => link.href)`)

    expect(addresses.length).toBeGreaterThan(5)
    expect(addresses.filter((address) => !address.startsWith(`${gateway.url}/#`))).toEqual([])
  })
})

describe('every page', () => {
  test.for([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    'is accessible in %s colours at %d pixels, and no wider than the screen',
    async ([colorScheme, width], { skip }) => {
      if (browser === undefined) return skip()
      const viewport = { width, height: 844 }
      const { page, go } = await browser.open(gateway.url, { colorScheme, viewport, bypassCSP: true })
      const findings: string[] = []

      for (const [name, hash] of pages()) {
        await go(hash)
        await until(
          () => page.locator('.wait').count(),
          (waiting) => waiting === 0,
        )
        findings.push(...(await seriousFindings(page)).map((finding) => `${name}: ${finding}`))
        if (await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth'))
          findings.push(`${name} is too wide`)
      }

      expect(findings).toEqual([])
    },
  )
})
