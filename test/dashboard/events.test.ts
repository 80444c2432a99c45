import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { openBrowser, openGateway, type TestBrowser, type TestGateway } from './open-dashboard.ts'

let gateway: TestGateway
let browser: TestBrowser | undefined

beforeAll(async () => {
  browser = await openBrowser()
  if (browser !== undefined) gateway = await openGateway()
})

afterAll(async () => {
  await browser?.close()
  await gateway?.close()
})

const lines = 'table.events tbody tr'

describe.sequential('the list of events', () => {
  test('shows an event when it comes, its copies, its end, and what was refused', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page, complaints } = await browser.open(gateway.url, { hash: '#/events' })
    await page.getByText('No events yet').waitFor()

    await gateway.send({ id: 'evt_first' })
    await page.locator(lines, { hasText: 'evt_first' }).getByText('processed').waitFor()
    await Promise.all([gateway.send({ id: 'evt_first' }), gateway.send({ id: 'evt_first' })])
    await gateway.send({ id: 'evt_forged', isForged: true })

    await page.locator(lines, { hasText: 'evt_first' }).getByText('×3').waitFor()
    await page.locator(lines, { hasText: 'forged' }).getByText('401').waitFor()
    expect(await page.locator(lines, { hasText: 'evt_first' }).count()).toBe(1)
    expect(await page.locator(`${lines}[data-kind="good"]`).count()).toBe(1)
    expect(await page.locator(`${lines}[data-kind="warn"]`).count()).toBe(1)
    expect(complaints).toEqual([])
  })

  test('waits while it is paused, and then shows what came', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page } = await browser.open(gateway.url, { hash: '#/events' })
    await page.locator(lines).first().waitFor()

    await page.keyboard.press('p')
    await gateway.send({ id: 'evt_while_paused' })
    await page.getByRole('button', { name: /Go on \(\d+ waiting\)/ }).waitFor()
    expect(await page.locator(lines, { hasText: 'evt_while_paused' }).count()).toBe(0)
    await page.keyboard.press('p')

    await page.locator(lines, { hasText: 'evt_while_paused' }).getByText('processed').waitFor()
  })

  test('is searched and filtered, by an address that can be sent to somebody', async ({ skip }) => {
    if (browser === undefined) return skip()
    await gateway.send({ id: 'evt_refund', type: 'charge.refunded' })
    const { page } = await browser.open(gateway.url, { hash: '#/events' })
    await page.locator(lines, { hasText: 'evt_refund' }).waitFor()

    await page.keyboard.press('/')
    await page.keyboard.type('evt_first')
    await page.keyboard.press('Enter')
    await until(
      () => page.locator(lines).count(),
      (count) => count === 1,
    )
    expect(await page.locator(lines).innerText()).toContain('evt_first')
    await page.getByLabel('Search').fill('')
    await page.keyboard.press('Enter')
    await page.getByLabel('Type').fill('charge.refunded')
    await page.keyboard.press('Enter')

    await until(
      () => page.locator(lines).count(),
      (count) => count === 1,
    )
    expect(page.url()).toContain('type=charge.refunded')
    const other = await browser.open(gateway.url, { hash: new URL(page.url()).hash })
    await until(
      () => other.page.locator(lines).count(),
      (count) => count === 1,
    )
    expect(await other.page.locator(lines).innerText()).toContain('charge.refunded')
    await other.page.getByLabel('Status').selectOption({ label: 'Failed' })
    await other.page.getByText('Nothing fits these filters').waitFor()
  })

  test('is walked by keys alone', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page } = await browser.open(gateway.url)
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Next line').waitFor()
    await page.keyboard.press('Escape')

    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await page.locator(lines).first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    const line = page.locator(`${lines}[aria-current="true"]`)
    await line.waitFor()
    const chosen = await line.locator('.id').innerText()
    await page.keyboard.press('x')
    await page.getByText('1 chosen').waitFor()
    await page.keyboard.press('Enter')

    await page.locator('.timeline').waitFor()
    expect(await page.locator('main').innerText()).toContain(chosen)
  })

  test('goes on to older pages, and holds one page at a time', async ({ skip }) => {
    if (browser === undefined) return skip()
    await Promise.all(
      Array.from({ length: 55 }, (_, index) => gateway.send({ id: `evt_many_${index}`, type: 'many.came' })),
    )
    const { page } = await browser.open(gateway.url, { hash: '#/events?type=many.came' })
    await until(
      () => page.locator(lines).count(),
      (count) => count === 50,
    )

    await page.getByRole('button', { name: 'Older' }).click()
    await until(
      () => page.locator(lines).count(),
      (count) => count === 5,
    )
    await page.getByRole('button', { name: 'Newest' }).click()

    await until(
      () => page.locator(lines).count(),
      (count) => count === 50,
    )
  })
})

describe.sequential('a receipt', () => {
  test('shows what came and all that it did, and is replayed after a preview', async ({ skip }) => {
    if (browser === undefined) return skip()
    const payload = { data: { object: { id: 'in_7', lines: [{ amount: 12345678901234567000n.toString() }] } } }
    await gateway.turnHandler(true)
    await gateway.send({ id: 'evt_fails', payload })
    await until(
      () => statusOf('evt_fails'),
      (status) => status === 'failed',
    )
    await gateway.turnHandler(false)
    const { page, complaints } = await browser.open(gateway.url, { hash: '#/events?q=evt_fails' })
    await page.locator(lines).getByRole('link', { name: 'invoice.paid' }).click()

    await page.getByText('Handler failed, rolled back').first().waitFor()
    await page.locator('.tree').getByText('"in_7"').waitFor()
    await page.getByRole('button', { name: 'lines' }).click()
    await page.getByRole('tab', { name: 'Bytes' }).click()
    expect(await page.locator('.block.hex').innerText()).toMatch(/^00000000 {2}7b 22/)
    await page.getByRole('button', { name: 'Replay…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('would succeed').waitFor()
    expect(await dialog.innerText()).toContain('mail:evt_fails')
    expect(await dialog.innerText()).toContain('message to crm would be sent')
    expect(await effectsOf('evt_fails')).toBe(0)
    expect(await dialog.getByRole('button', { name: 'Replay', exact: true }).isDisabled()).toBe(true)
    await dialog.getByLabel('Why').fill('The service is back.')
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click()

    await page.getByText('Handler succeeded').waitFor()
    await page.getByText('The service is back.').waitFor()
    await page.locator('.timeline').getByText('Message to crm').waitFor()
    expect(await statusOf('evt_fails')).toBe('processed')
    expect(await effectsOf('evt_fails')).toBe(1)
    expect(complaints).toEqual([])
  })

  test('is held, and let go', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page } = await browser.open(gateway.url, { hash: '#/events?q=evt_first' })
    await page.locator(lines).getByRole('link', { name: 'invoice.paid' }).click()

    await page.getByRole('button', { name: 'Hold…' }).click()
    await page.getByLabel('Why').fill('a dispute')
    await page.getByRole('button', { name: 'Hold', exact: true }).click()
    await page.getByText('a dispute').waitFor()
    const { schema, query } = gateway.database
    expect(await query(`select why from "${schema}".holds where released_at is null`)).toEqual([{ why: 'a dispute' }])
    await page.getByRole('button', { name: 'Release…' }).waitFor()
  })
})

async function statusOf(eventId: string): Promise<unknown> {
  const response = await fetch(`${gateway.url}/api/v1/receipts?eventId=${eventId}`)
  const { items } = (await response.json()) as { readonly items: readonly { readonly status: string }[] }
  return items[0]?.status
}

async function effectsOf(eventId: string): Promise<number> {
  const { schema, query } = gateway.database
  return (await query(`select key from "${schema}".effects where key = $1`, [`mail:${eventId}`])).length
}
