import { describe, expect } from 'vitest'
import { test } from '../cli/command-line.ts'
import { dashboardBuild } from '../support/dashboard-build.ts'
import { openBrowser } from './open-dashboard.ts'

describe('a newcomer', () => {
  test('is led through a first event by what really happens', async ({ prepared, skip }) => {
    const browser = await openBrowser()
    if (browser === undefined) return skip()
    await dashboardBuild()
    const gateway = prepared.start(['start', '--port', '0', '--no-demo', '--json'])
    const [, url = ''] = /"url":"(http:[^"]+)"/.exec(await gateway.until(/"url":"http:[^"]+"/)) ?? []
    const { page, complaints } = await browser.open(url)
    const step = (name: string) => page.locator('.steps li[data-state="done"]', { hasText: name })

    await page.getByRole('button', { name: 'Send a signed webhook' }).click()
    await step('Send a webhook').waitFor()
    await step('See it take effect').getByRole('link', { name: 'Look at its receipt' }).waitFor()
    await page.getByRole('button', { name: 'Send five copies at once' }).click()
    await step('Send it again').getByText('6 deliveries, 1 run of the handler.').waitFor()
    await page.getByRole('button', { name: 'Break the handler' }).click()
    await page.getByRole('button', { name: 'Send another webhook' }).click()
    await step('see it retried').waitFor()
    await step('dead letter').waitFor()
    await page.getByRole('button', { name: 'Mend the handler' }).click()
    await page.getByRole('button', { name: 'Preview and replay' }).click()
    await page.getByRole('dialog').getByText('would succeed').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click()
    await step('Replay it').waitFor()

    await page.getByText('each event took effect exactly once').waitFor()
    await page.getByText('8 of 8').waitFor()
    const { items } = (await (await fetch(`${url}/api/v1/receipts`)).json()) as {
      readonly items: readonly { readonly status: string; readonly deliveries: number }[]
    }
    expect(items.map(({ status, deliveries }) => [status, deliveries])).toEqual([
      ['processed', 1],
      ['processed', 6],
    ])
    const guide = (await (await fetch(`${url}/api/v1/guide`)).json()) as { readonly last: { readonly effects: number } }
    expect(guide.last.effects).toBe(1)
    expect(complaints).toEqual([])
    await browser.close()
  }, 120_000)
})
