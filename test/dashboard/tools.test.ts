import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stripe } from '../../src/providers/stripe.ts'
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

describe('the overview', () => {
  test('shows the three numbers and draws what came', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page, complaints } = await browser.open(gateway.url)
    await gateway.send({ id: 'evt_drawn' })

    await until(
      () => page.locator('.figure .value').allInnerTexts(),
      (values) => values.length === 3 && values[2] === '1',
    )
    await page.locator('.chart canvas').first().waitFor()
    await page.getByRole('button', { name: 'Table' }).first().click()
    await page.locator('.chart-table').getByRole('columnheader', { name: 'Accepted' }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('a source', () => {
  test('says why a request is refused, and records nothing of it', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page } = await browser.open(gateway.url, { hash: '#/sources' })
    await page.getByRole('link', { name: 'stripe' }).click()
    const signed = stripe({ secret: 'whsec_0123456789abcdef0123456789abcdef' }).sign({ id: 'evt_pasted' }, new Date())
    const head = [...signed.headers].map(([name, values]) => `${name}: ${String(values)}`).join('\n')
    const body = Buffer.from(signed.body).toString('utf8')

    await page.getByLabel('Request').fill(`POST /in/stripe HTTP/1.1\n${head}\n\n${body}`)
    await page.getByRole('button', { name: 'Examine' }).click()
    await page.getByText('It is authentic: it would be taken as').waitFor()
    await page.getByLabel('Request').fill(`POST /in/stripe HTTP/1.1\n${head}\n\n${body}\n\n`)
    await page.getByLabel('The last line break belongs to the body').check()
    await page.getByRole('button', { name: 'Examine' }).click()

    await page.locator('.diagnosis').getByText('forged').waitFor()
    await page.getByText('Deadline meter').waitFor()
    const { schema, query } = gateway.database
    expect(await query(`select id from "${schema}".receipts where event_id = 'evt_pasted'`)).toEqual([])
  })
})

describe('alerts', () => {
  test('are acknowledged and muted, with a reason', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { schema, query } = gateway.database
    await query(
      `insert into "${schema}".alerts (environment, rule, source, opened_at, last_seen_at, opening_figures, latest_figures)
       select environment, 'deadLetters', 'stripe', now(), now(), '{"count":3}', '{"count":3}' from "${schema}".receipts limit 1`,
    )
    const { page } = await browser.open(gateway.url, { hash: '#/alerts' })

    await page.getByRole('button', { name: 'Acknowledge…' }).click()
    await page.getByLabel('Why').fill('I am at it.')
    await page.getByRole('button', { name: 'Acknowledge', exact: true }).click()
    await page.getByText('I am at it.').waitFor()
    await page.getByRole('article').getByRole('button', { name: 'Mute…' }).click()
    await page.getByRole('dialog').getByLabel('Why').fill('A deployment.')
    await page.getByRole('button', { name: 'Mute', exact: true }).click()

    await page.getByText('A deployment.').waitFor()
    expect(await query(`select acknowledged_by, acknowledged_why from "${schema}".alerts`)).toEqual([
      { acknowledged_by: 'local', acknowledged_why: 'I am at it.' },
    ])
    await page.getByRole('button', { name: 'End it' }).click()
    await until(
      () => page.getByText('A deployment.').count(),
      (count) => count === 0,
    )
  })
})

describe('the datastore', () => {
  test('makes, changes and deletes values, and overwrites nobody', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page } = await browser.open(gateway.url, { hash: '#/datastore' })
    await page.getByRole('button', { name: 'New value' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Namespace').fill('flags')
    await dialog.getByLabel('Key').fill('a/b c')
    await dialog.getByLabel('Value, as JSON').fill('{"on":')
    expect(await dialog.getByRole('button', { name: 'Store' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Value, as JSON').fill('{"on":false}')
    await dialog.getByRole('button', { name: 'Store' }).click()
    await page.getByRole('link', { name: 'flags' }).click()

    await page.getByRole('button', { name: 'a/b c' }).click()
    const response = await fetch(`${gateway.url}/api/v1/datastore/flags/${encodeURIComponent('a/b c')}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-oncehook-csrf': 'page' },
      body: '{"value":"of somebody else"}',
    })
    expect(response.status).toBe(200)
    await dialog.getByLabel('Value, as JSON').fill('{"on":true}')
    await dialog.getByRole('button', { name: 'Store' }).click()
    await dialog.getByText('Somebody has changed it meanwhile.').waitFor()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByText('of somebody else').waitFor()
    await page.getByRole('button', { name: 'a/b c' }).click()
    await dialog.getByRole('button', { name: 'Delete…' }).click()
    await dialog.getByRole('button', { name: 'Delete it for good' }).click()

    await page.getByText('No values here').waitFor()
  })
})

describe('automations', () => {
  test('are made, run on what comes, and show each step', async ({ skip }) => {
    if (browser === undefined) return skip()
    const { page } = await browser.open(gateway.url, { hash: '#/automations' })
    await page.getByRole('button', { name: 'New automation' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('count-paid')
    await dialog.getByLabel('What it does').fill('{"on":{"source":"stripe"},"steps":[{"kind":"nothing"}]}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('steps[0]').first().waitFor()
    const definition = {
      on: { source: 'stripe' },
      steps: [
        { kind: 'extract', path: '$.id', as: 'id' },
        { kind: 'store', operation: 'set', namespace: 'seen', key: '{{id}}', value: true },
      ],
    }
    await dialog.getByLabel('What it does').fill(JSON.stringify(definition))
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'count-paid' }).click()
    await page.getByText('It has not run yet').waitFor()

    await gateway.send({ id: 'evt_automated' })
    await page.locator('.members').getByText('evt_automated').click()

    await page.locator('.timeline').getByText('extract').first().waitFor()
    expect(await page.locator('.timeline > li').count()).toBe(2)
    const stored = await fetch(`${gateway.url}/api/v1/datastore/seen/evt_automated`)
    expect(await stored.json()).toMatchObject({ value: true })
  })
})
