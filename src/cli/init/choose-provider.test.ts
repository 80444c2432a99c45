import { expect, test } from 'vitest'
import { providerNames } from '../provider-catalogue.ts'
import { chooseProvider } from './choose-provider.ts'

test('every provider can be chosen, and those without ids are known as such', async () => {
  const chosen = await Promise.all(providerNames.map(chooseProvider))

  expect(chosen.filter(({ hasStableIds }) => !hasStableIds).map(({ name }) => name)).toEqual([
    'airtable',
    'dropbox',
    'freshdesk',
    'plaid',
  ])
  expect(chosen.every(({ events }) => events > 0)).toBe(true)
  expect(chosen.find(({ name }) => name === 'cal-com')).toMatchObject({
    create: 'calCom',
    given: 'secret: process.env.CAL_COM_WEBHOOK_SECRET',
    variable: 'CAL_COM_WEBHOOK_SECRET',
  })
})

test('a name that nobody has is a wrong call', async () => {
  await expect(chooseProvider('strip')).rejects.toThrow('There is no provider "strip"')
})
