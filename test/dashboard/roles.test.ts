import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../support/until.ts'
import { type OpenPage, openBrowser, openGateway, type TestBrowser, type TestGateway } from './open-dashboard.ts'

const tokens = (['viewer', 'operator', 'admin'] as const).map((role) => ({
  name: `the ${role}`,
  role,
  token: `${role}-token-0123456789abcdef`,
}))

let gateway: TestGateway
let browser: TestBrowser | undefined

beforeAll(async () => {
  browser = await openBrowser()
  if (browser === undefined) return
  gateway = await openGateway({ TOKENS: JSON.stringify(tokens) })
  await gateway.turnHandler(true)
  for (const id of ['evt_1', 'evt_2', 'evt_3']) await gateway.send({ id })
  const { schema, query } = gateway.database
  await until(
    () => query(`select id from "${schema}".receipts where status = 'failed'`),
    (rows) => rows.length === 3,
  )
  await gateway.turnHandler(false)
})

afterAll(async () => {
  await browser?.close()
  await gateway?.close()
})

async function logIn(open: TestBrowser, role: string): Promise<OpenPage> {
  const opened = await open.open(gateway.url)
  await opened.page.getByLabel('Token').fill(`${role}-token-0123456789abcdef`)
  await opened.page.getByRole('button', { name: 'Log in' }).click()
  await opened.page.getByRole('heading', { name: 'Overview' }).waitFor()
  return opened
}

describe('the login', () => {
  test('turns away a token that is not known, and lets in one that is, until it is left', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page, complaints } = await browser.open(gateway.url, { hash: '#/events' })
    expect(await page.getByText('evt_1').count()).toBe(0)

    await page.getByLabel('Token').fill('a-guess')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Token').fill('operator-token-0123456789abcdef')
    await page.keyboard.press('Enter')

    await page.locator('table.events').getByText('evt_1').waitFor()
    await page.getByText('the operator · operator').waitFor()
    await page.reload()
    await page.locator('table.events').getByText('evt_1').waitFor()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe.sequential('a role', () => {
  test('of a viewer shows everything but what changes something', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page, go } = await logIn(browser, 'viewer')

    await go('#/dead-letters')
    await page.locator('.group-head').click()
    await page.locator('.members').getByText('evt_1').waitFor()
    const buttons = await page.locator('main').getByRole('button').allInnerTexts()
    await go('#/events?q=evt_1')
    await page.locator('table.events').getByRole('link', { name: 'invoice.paid' }).click()
    await page.locator('.timeline').waitFor()

    expect(buttons.join()).not.toMatch(/replay/i)
    expect(await page.getByRole('button', { name: /Replay|Hold|Send elsewhere/ }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
    await go('#/audit')
    await page.getByText('Only admins read the audit log.').waitFor()
  })

  test('of an operator replays dead letters together, after a preview and with a reason', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page, go, complaints } = await logIn(browser, 'operator')
    const { schema, query } = gateway.database

    await go('#/dead-letters')
    await page.locator('.group-head').click()
    await page.getByLabel('Replay event evt_2').uncheck()
    await page.getByRole('button', { name: 'Preview and replay…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('4 effects would fire').waitFor()
    expect(await query(`select key from "${schema}".effects`)).toEqual([])
    await dialog.getByLabel('Why').fill('The service is back.')
    await dialog.getByRole('button', { name: 'Replay', exact: true }).click()

    const processed = await until(
      () =>
        query<{ event_id: string }>(`select event_id from "${schema}".receipts where status = 'processed' order by 1`),
      (rows) => rows.length === 2,
    )
    expect(processed).toEqual([{ event_id: 'evt_1' }, { event_id: 'evt_3' }])
    expect(await query(`select "by", why from "${schema}".replays group by 1, 2`)).toEqual([
      { by: 'the operator', why: 'The service is back.' },
    ])
    await until(
      () => page.locator('.group-head .badge').allInnerTexts(),
      (counts) => counts.join() === '1',
    )
    expect(complaints).toEqual([])
  })

  test('of an admin reads who did what, and why', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page, go } = await logIn(browser, 'admin')

    await go('#/audit')

    const line = page.locator('tbody tr', { hasText: 'receipts.replay' })
    await line.getByText('The service is back.').waitFor()
    expect(await line.innerText()).toContain('the operator')
  })
})
