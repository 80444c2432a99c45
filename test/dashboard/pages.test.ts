import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { openBrowser, openGateway, type TestBrowser, type TestGateway } from './open-dashboard.ts'

let gateway: TestGateway
let browser: TestBrowser | undefined
const casesFolder = mkdtempSync(join(tmpdir(), 'cases-'))

beforeAll(async () => {
  browser = await openBrowser()
  if (browser !== undefined) gateway = await openGateway({ CASES_FOLDER: casesFolder })
})

afterAll(async () => {
  await browser?.close()
  await gateway?.close()
  rmSync(casesFolder, { recursive: true })
})

async function read<Answer>(path: string): Promise<Answer> {
  return (await (await fetch(`${gateway.url}/api/v1/${path}`)).json()) as Answer
}

async function post(path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-oncehook-csrf': 'page' }
  const response = await fetch(`${gateway.url}/api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(response.status).toBe(201)
}

async function receiptOf(eventId: string): Promise<string> {
  const { items } = await until(
    () => read<{ readonly items: readonly { readonly id: string }[] }>(`receipts?eventId=${eventId}&status=processed`),
    (page) => page.items.length === 1,
  )
  return items[0]?.id ?? ''
}

describe('the page of a source', () => {
  test('draws its retries, its answers against the deadline, and which secret can go', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { schema, query } = gateway.database
    const order = { source: 'shop', id: 'order-1', payload: { id: 1 } } as const
    for (let count = 0; count < 3; count++) await gateway.send(order)
    await gateway.send({ source: 'shop', id: 'order-2', payload: { id: 2 }, isSignedWithOlder: true })
    // What is counted in memory is written when the meters are read.
    await read('sources/shop')
    await query(`
      insert into "${schema}".deadlines (environment, source, day, deliveries, past_half, past_most, past_all, slowest_ms)
      select environment, source, day - 1, 10, 4, 2, 1, 6200 from "${schema}".deadlines where source = 'shop'`)
    await query(`
      update "${schema}".secret_uses set last_seen_at = now() - interval '4 days', others_since = 25 where secret_index = 1`)
    const { page, complaints } = await browser.open(gateway.url, { hash: '#/sources' })

    const card = page.getByRole('link', { name: 'shop' })
    expect(await card.innerText()).toMatch(
      /1 answer too late\s+1 secret can go[^]*waits 5 s for an answer · retries for 4 h/,
    )
    await card.click()

    const part = (name: string) =>
      page.locator('section.card', { has: page.getByRole('heading', { name, exact: true }) })
    const bar = part('Deadline meter').getByRole('img', {
      name: '10 in the first half, 2 past half, 1 past 80 %, 1 too late',
    })
    const widths = await bar.evaluate((node) => [...node.children].map((child) => child.clientWidth))
    expect(widths.map((width) => Math.round(width / (widths[3] ?? 1)))).toEqual([10, 2, 1, 1])
    expect(await part('Deadline meter').innerText()).toContain('The slowest took 6.2 s, 124 % of 5 s.')
    await part('Deadline meter').getByText('1 delivery came again because the answer was late.').waitFor()
    const secrets = part('Rotation meter').getByRole('listitem')
    expect(await secrets.nth(0).innerText()).toMatch(/Secret 1\s+in use\s+verified 3 deliveries/)
    expect(await secrets.nth(1).innerText()).toMatch(/Secret 2\s+quiet\s+verified 1 delivery[^]*It can be taken out/)
    const bars = (name: string) => part('Retry pattern').locator('.bars > div', { hasText: name })
    await bars('up to 1 s').getByText('2', { exact: true }).waitFor()
    expect(
      await bars('up to 1 s')
        .locator('.bar')
        .evaluate((node) => node.clientWidth),
    ).toBeGreaterThan(50)
    expect(
      await bars('up to 5 s')
        .locator('.bar')
        .evaluate((node) => node.clientWidth),
    ).toBeLessThan(3)
    await gateway.send(order)
    await bars('×3').getByText('1', { exact: true }).waitFor()
    const { retryPattern } = await read<{ readonly retryPattern: unknown }>('sources/shop')
    expect(retryPattern).toMatchObject({ events: 1, copies: 3, copiesPerEvent: [{ copies: 3, events: 1 }] })
    expect(complaints).toEqual([])
  })
})

describe('the outbox', () => {
  test('shows a message that failed, and sends it again with the same key', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { schema, query } = gateway.database
    const { page, complaints } = await browser.open(gateway.url, { hash: '#/messages?status=failed' })
    await gateway.turnTarget(true)
    await gateway.send({ id: 'evt_message' })
    const line = page.locator('tbody tr', { hasText: 'The address book is away <b>now</b>' })
    await line.getByText('2 attempts').waitFor()
    const messages = () =>
      query<{ key: string; status: string }>(`
        select key, status from "${schema}".outbox where event_id = 'evt_message'`)
    const [failed] = await messages()
    expect(failed?.status).toBe('failed')

    await gateway.turnTarget(false)
    await line.getByRole('button', { name: 'Send again' }).click()

    await page.getByText('1 message put back, with the same key.').waitFor()
    await page.getByText('No messages').waitFor()
    const sent = await until(messages, ([one]) => one?.status === 'published')
    expect(sent).toEqual([{ key: failed?.key, status: 'published' }])
    await page.getByLabel('Status').selectOption('published')
    await page
      .locator('tbody tr', { hasText: failed?.key ?? '' })
      .getByText('published')
      .waitFor()
    const { items } = await read<{ readonly items: readonly { readonly action: string }[] }>('audit')
    expect(items[0]).toMatchObject({ action: 'messages.replay', by: 'local', outcome: 'done' })
    expect(complaints).toEqual([])
  })
})

describe('a capture', () => {
  test('is saved as a case without what is secret in it, and no case is overwritten', async ({ skip }) => {
    if (browser === undefined) return skip()
    await post('capture-endpoints', { name: 'orders' })
    await fetch(`${gateway.url}/capture/orders/new`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer the-key-of-a-shop' },
      body: JSON.stringify({
        id: 'order-7',
        email: 'ada@lovelace.example',
        apiKey: 'sk_live_0123456789abcdef',
        sum: 42,
      }),
    })
    const { page, complaints } = await browser.open(gateway.url, { hash: '#/captures/orders' })
    await page.getByRole('link', { name: 'POST /new' }).click()
    const dialog = page.getByRole('dialog')
    const save = async (status: string): Promise<void> => {
      await page.getByRole('button', { name: 'Save as case…' }).click()
      await dialog.getByLabel('Name').fill('new-order')
      await dialog.getByLabel('Expected status').fill(status)
      await dialog.getByRole('button', { name: 'Save' }).click()
    }

    await save('201')
    await dialog.getByText(join(casesFolder, 'new-order.json')).waitFor()
    await dialog.getByText('Masked: header authorization').waitFor()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await save('500')
    await dialog.getByRole('alert').getByText('There is a case new-order already').waitFor()

    expect(readdirSync(casesFolder)).toEqual(['new-order.json'])
    const text = readFileSync(join(casesFolder, 'new-order.json'), 'utf8')
    expect(text).not.toMatch(/lovelace|sk_live|the-key-of-a-shop/)
    expect(JSON.parse(text)).toMatchObject({
      name: 'new-order',
      request: { method: 'POST', json: { id: 'order-7', email: 'person1@example.com', sum: 42 } },
      expect: { status: 201 },
    })
    expect(complaints).toEqual([])
  })
})

describe('an automation', () => {
  test('is tried on an event that came before, and leaves nothing', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { schema, query } = gateway.database
    const steps = [
      { kind: 'extract', path: '$.id', as: 'id' },
      { kind: 'store', operation: 'set', namespace: 'tried', key: '{{id}}', value: true },
      { kind: 'forward', to: 'https://203.0.113.9/hook', body: { id: '{{id}}' } },
    ]
    await post('automations', {
      name: 'try-me',
      definition: { on: { source: 'stripe', types: 'customer.*' }, steps },
    })
    await gateway.send({ id: 'evt_tried' })
    const receiptId = await receiptOf('evt_tried')
    const { page, complaints } = await browser.open(gateway.url, { hash: '#/automations' })
    const rows = async () => ({
      values: await query(`select key from "${schema}".datastore where namespace = 'tried'`),
      runs: await query(`select id from "${schema}".automation_runs`),
      messages: await query(`select id from "${schema}".outbox where event_id = 'evt_tried' and target <> 'crm'`),
    })

    await page.locator('tbody tr', { hasText: 'stripe: customer.*' }).getByRole('link', { name: 'try-me' }).click()
    await page.getByRole('button', { name: 'Test…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Id of the receipt').fill('999999999')
    await dialog.getByRole('button', { name: 'Run' }).click()
    await dialog.getByRole('alert').getByText('There is nothing of that id').waitFor()
    await dialog.getByLabel('One of the newest').selectOption('invoice.paid · evt_tried')
    expect(await dialog.getByLabel('Id of the receipt').inputValue()).toBe(receiptId)
    await dialog.getByRole('button', { name: 'Run' }).click()

    await until(
      () => dialog.locator('.timeline > li').getByText('done', { exact: true }).count(),
      (count) => count === 3,
    )
    await dialog.getByText('What went in and came out').first().click()
    await dialog.locator('.timeline').getByText('evt_tried').first().waitFor()
    expect(await rows()).toEqual({ values: [], runs: [], messages: [] })
    expect(complaints).toEqual([])
  })
})

describe('a comparison', () => {
  test('of two receipts, and of one with its capture, says which event it is and what differs', async ({ skip }) => {
    if (browser === undefined) return skip()
    const invoice = (status: string) => ({ created: 1_800_000_000, data: { object: { id: 'in_compared', status } } })
    await post('capture-endpoints', { name: 'mirror' })
    await gateway.send({ id: 'evt_open', payload: invoice('open') })
    await gateway.send({ id: 'evt_paid', payload: invoice('paid') })
    await gateway.send({ id: 'evt_paid', payload: invoice('paid'), to: `${gateway.url}/capture/mirror` })
    await gateway.send({ id: 'evt_paid', payload: invoice('void'), to: `${gateway.url}/capture/mirror` })
    await receiptOf('evt_open')
    const { page, complaints, go } = await browser.open(gateway.url)
    const dialog = page.getByRole('dialog')
    const compareWith = async (...names: readonly string[]): Promise<void> => {
      await go(`#/receipts/${await receiptOf('evt_paid')}`)
      await page.getByRole('button', { name: 'Compare…' }).click()
      for (const name of names) await dialog.getByLabel(name).first().check()
      await dialog.getByRole('link', { name: `Compare ${names.length + 1}` }).click()
    }
    const verdict = (text: string) => page.locator('.note[role=status]').getByText(text)
    const cells = (row: string) => page.locator('.compare tr', { hasText: row }).locator('td').allInnerTexts()

    await compareWith('evt_open')
    await verdict('Different events.').waitFor()
    expect(await cells('data.object.status')).toEqual(['"paid"', '"open"'])
    const [paidAfter, openAfter] = await cells('after the first')
    expect(openAfter).toBe('0 ms')
    expect(paidAfter).toMatch(/^[1-9]\d* (ms|s)$/)
    await compareWith('captured at mirror')
    await verdict('The same event, but changed.').waitFor()
    expect(await cells('data.object.status')).toEqual(['"paid"', '"void"'])
    const { items } = await read<{ readonly items: readonly { readonly id: string }[] }>('captures?endpoint=mirror')
    await go(`#/compare?items=receipt:${await receiptOf('evt_paid')},capture:${items[1]?.id}`)
    await verdict('The same event.').waitFor()

    await page.getByText('Every byte is equal.').waitFor()
    expect(complaints).toEqual([])
  })
})

describe('the dashboard in an app of Express', () => {
  test('finds its files, its API and its live stream below the path that it is mounted under', async ({ skip }) => {
    if (browser === undefined) return skip()
    const url = gateway.appUrl
    const { page, complaints, go } = await browser.open(url, { path: '/admin/hooks' })
    const asked = new Set<string>()
    page.on('request', (request) => asked.add(new URL(request.url()).pathname))
    await page.getByLabel('Token').fill('ops-token-0123456789abcdef')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.locator('.live-mark', { hasText: 'Live' }).first().waitFor()

    await go('#/events')
    await page.locator('table.events').waitFor()
    await gateway.send({ id: 'evt_of_the_app', to: `${url}/in/stripe` })
    await page.locator('table.events tr', { hasText: 'evt_of_the_app' }).getByText('processed').waitFor()
    await page.locator('table.events tr', { hasText: 'evt_of_the_app' }).getByRole('link').first().click()
    await page.getByRole('button', { name: 'Hold…' }).click()
    await page.getByRole('dialog').getByLabel('Why').fill('for the auditors')
    await page.getByRole('dialog').getByRole('button', { name: 'Hold', exact: true }).click()
    await page.getByText('held', { exact: true }).waitFor()
    await page.reload()
    await page.locator('.timeline').getByText('for the auditors').waitFor()

    const { schema, query } = gateway.database
    const held = await query(`select event_id from "${schema}".receipts where held_at is not null`)
    expect(held).toEqual([{ event_id: 'evt_of_the_app' }])
    // It was made without captures, and offers nothing that needs them.
    expect(await page.getByRole('link', { name: 'Captures' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /Compare|Send elsewhere/ }).count()).toBe(0)
    expect([...asked].filter((path) => !path.startsWith('/admin/hooks/'))).toEqual([])
    expect([...asked].some((path) => path.endsWith('.js'))).toBe(true)
    expect(complaints).toEqual([])
  })
})

describe('on a phone', () => {
  test('the menu opens, and a list, a receipt and a source need no scrolling to the side', async ({ skip }) => {
    if (browser === undefined) return skip()
    const id = `evt_${'a-very-long-id-'.repeat(12)}`
    await gateway.send({ id, payload: { data: { object: { id: 'in_1', note: 'long'.repeat(200) } } } })
    const viewport = { width: 390, height: 844 }
    const { page, complaints } = await browser.open(gateway.url, { viewport, isMobile: true, hasTouch: true })
    const menu = page.getByRole('navigation', { name: 'Pages' })
    const choose = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Menu' }).tap()
      await menu.getByRole('link', { name }).tap()
      await menu.waitFor({ state: 'hidden' })
    }
    const isTooWide = () => page.evaluate<boolean>('document.scrollingElement.scrollWidth > innerWidth')
    const line = page.locator('table.events tr', { hasText: id })

    expect(await menu.isVisible()).toBe(false)
    await choose('Events')
    await line.getByText('processed').waitFor()
    expect(await isTooWide()).toBe(false)
    await line.getByRole('link').first().tap()
    await page.locator('.timeline').getByText('Handler succeeded').waitFor()
    await page.locator('.tree').waitFor()
    expect(await isTooWide()).toBe(false)
    expect((await page.getByText('Handler succeeded').boundingBox())?.width).toBeGreaterThan(60)
    await choose('Sources')
    await page.getByRole('link', { name: 'stripe' }).tap()
    await page.getByRole('heading', { name: 'Retry pattern' }).waitFor()

    expect(await isTooWide()).toBe(false)
    expect(complaints).toEqual([])
  })
})
