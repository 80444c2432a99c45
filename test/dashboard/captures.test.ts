import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { openBrowser, openGateway, type TestBrowser, type TestGateway } from './open-dashboard.ts'

let gateway: TestGateway
let browser: TestBrowser | undefined
let target: Server
const received: string[] = []

beforeAll(async () => {
  browser = await openBrowser()
  if (browser === undefined) return
  gateway = await openGateway()
  target = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push(body)
      response.writeHead(received.length === 1 ? 202 : 200).end(`answer ${received.length}`)
    })
  })
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  target?.close()
  await browser?.close()
  await gateway?.close()
})

async function capture(path: string, body: unknown): Promise<number> {
  const response = await fetch(`${gateway.url}/capture/orders${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-page': '<script>pwned()</script>' },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  return response.status
}

describe.sequential('captures', () => {
  test('appear as they come, answered by rules that are edited here', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page, complaints } = await browser.open(gateway.url, { hash: '#/captures' })
    await page.getByRole('button', { name: 'New endpoint' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('orders')
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByText('Nothing was captured').waitFor()
    expect(await capture('/first', { id: 0 })).toBe(200)
    await page.getByText('POST /first').waitFor()

    await page.getByRole('tab', { name: 'Rules' }).click()
    await page.getByRole('button', { name: 'Fail three times' }).click()
    await page.getByLabel('Status', { exact: true }).fill('777')
    await page.getByRole('button', { name: 'Save the rules' }).click()
    await page.getByRole('alert').getByText('rules[0]').first().waitFor()
    await page.getByLabel('Status', { exact: true }).fill('503')
    await page.getByRole('button', { name: 'Save the rules' }).click()
    await page.getByText('The rules are saved.').waitFor()
    const statuses = []
    for (const id of [1, 2, 3, 4]) statuses.push(await capture('/orders', { id }))

    expect(statuses).toEqual([503, 503, 503, 200])
    await page.getByRole('tab', { name: 'Requests' }).click()
    await until(
      () => page.locator('tbody tr', { hasText: '503' }).count(),
      (count) => count === 3,
    )
    expect(complaints).toEqual([])
  })

  test('are compared, five side by side', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page } = await browser.open(gateway.url, { hash: '#/captures/orders' })
    const boxes = page.locator('tbody input[type=checkbox]')
    await until(
      () => boxes.count(),
      (count) => count === 5,
    )

    for (const box of await boxes.all()) await box.check()
    await page.getByRole('link', { name: 'Compare 5' }).click()

    await page.getByRole('heading', { name: 'Compare 5' }).waitFor()
    const row = page.locator('.compare tr', { hasText: 'id' }).last()
    await row.waitFor()
    expect(await page.locator('.compare').first().locator('thead th').count()).toBe(6)
    expect(await page.locator('td[data-differs="yes"]').count()).toBeGreaterThanOrEqual(4)
  })

  test('are sent again to a target, and the answers stand side by side', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page, complaints } = await browser.open(gateway.url, { hash: '#/captures/orders?q=%2Ffirst' })
    await page.getByRole('link', { name: 'POST /first' }).click()
    await page.getByText('<script>pwned()</script>').waitFor()

    await page.getByRole('button', { name: 'Replay…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Target').fill(`http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`)
    await dialog.getByLabel('Times').fill('3')
    await dialog.getByLabel('Edit it first').check()
    await dialog.getByLabel('Body').fill('{"id":"edited"}')
    await dialog.getByLabel('Why').fill('to see what staging says')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()

    await dialog.getByText('No. 3').waitFor()
    expect(await dialog.locator('.side-by-side .badge').allInnerTexts()).toEqual(['202', '200', '200'])
    expect(received).toEqual(Array.from({ length: 3 }, () => '{"id":"edited"}'))
    expect(complaints).toEqual([])
  })

  test('are cleared, and the endpoint is deleted', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page } = await browser.open(gateway.url, { hash: '#/captures/orders' })
    await page.getByText('POST /first').waitFor()

    await page.getByRole('button', { name: 'Clear…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Clear' }).click()
    await page.getByText('Nothing was captured').waitFor()
    await page.getByRole('button', { name: 'Delete the endpoint' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()

    await page.getByText('No endpoints yet').waitFor()
  })
})
