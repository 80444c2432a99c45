import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { homeOf, prepareHome } from '../../home.ts'
import type { Examined } from '../check.ts'
import { findSecrets } from '../secrets.ts'
import { secretsCheck } from './secrets.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'oncehook-secrets-'))
})

afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** What is said about an environment and the `.env` files of a directory. */
async function said(environment: Record<string, string>, stage = 'default'): Promise<readonly string[]> {
  const secrets = await findSecrets({ environment, stage, directory, home: homeOf(directory) })
  const findings = secretsCheck.run({ secrets } as unknown as Examined)
  const text = JSON.stringify(findings)
  for (const { value } of secrets) expect(text).not.toContain(value.trim())
  return findings.map(({ severity, fact }) => `${severity}: ${fact}`)
}

const good = 'whsec_Zx81kQpLm3Rt9vWyBn5sCdEfGh2jKaUo'
const another = 'c7f0e2d4b6a8c7f0e2d4b6a8c7f0e2d4'

describe('secrets', () => {
  test('that are in order are not mentioned', async () => {
    const environment = {
      STRIPE_WEBHOOK_SECRET: good,
      STRIPE_SECRET_KEY: 'sk_live_51Habcdefghijklmnop',
      GITHUB_WEBHOOK_SECRET: another,
      PAYSTACK_WEBHOOK_SECRET: 'sk_live_5f0e2d4b6a8c7f0e2d4b6a8c7f0e2d4b6a8c7f0e',
      SESSION_SECRET: 'changeme',
      PATH: '/usr/bin',
    }

    expect(await said(environment, 'production')).toEqual([])
    expect(await said({ ...environment, NODE_ENV: 'production' })).toEqual([])
  })

  test.each([
    [`${good}\n`, 'spaces or a line break around it'],
    [`${good}\\n`, 'the two characters \\n at its end'],
    [`"${good}"`, 'quotation marks around it'],
    [`\uFEFF${good}`, 'spaces or a line break around it'],
    [`whsec_\u200B${another}`, 'an invisible character in it'],
  ])('that hold more than the secret are found: %j', async (value, wrapping) => {
    expect(await said({ STRIPE_WEBHOOK_SECRET: value })).toEqual([
      `error: STRIPE_WEBHOOK_SECRET in the environment has ${wrapping}, which is taken for a part of it: no signature fits.`,
    ])
  })

  test.each([
    'whsec_test',
    'changeme',
    'your-webhook-secret',
    '<secret>',
    'whsec_...',
    'xxxxxxxxxxxxxxxx',
    'CHANGE_ME',
    '${STRIPE}',
  ])('that are placeholders are found: %s', async (value) => {
    expect(await said({ GITHUB_WEBHOOK_SECRET: value })).toEqual([
      'error: GITHUB_WEBHOOK_SECRET in the environment is a placeholder, which anybody can guess.',
    ])
  })

  test.each([
    ['STRIPE_WEBHOOK_SECRET', 'sk_live_51Habcdefghijklmnop', 'an API key'],
    ['STRIPE_WEBHOOK_SECRET', 'we_1MqqbKLt4dXK03v5qaIbiNCC', "an endpoint's id"],
    ['GITHUB_WEBHOOK_SECRET', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'an access token of GitHub'],
    ['SLACK_SIGNING_SECRET', 'xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzzqgy', 'an access token of Slack'],
  ])('that are something else are found: %s', async (variable, value, thing) => {
    expect(await said({ [variable]: value })).toEqual([
      `error: ${variable} in the environment looks like ${thing}, not like a webhook's secret.`,
    ])
  })

  test('of a test mode are found in production, and of the live mode elsewhere', async () => {
    writeFileSync(join(directory, '.env.staging'), 'STRIPE_SECRET_KEY=sk_live_51Habcdefghijklmnop\n')
    writeFileSync(join(directory, '.env.example'), 'STRIPE_WEBHOOK_SECRET=changeme\n')

    expect(await said({ STRIPE_SECRET_KEY: 'sk_test_51Habcdefghijklmnop' }, 'production')).toEqual([
      'error: STRIPE_SECRET_KEY in the environment is of a test mode, and this is production.',
      'warning: STRIPE_SECRET_KEY in .env.staging is of the live mode, and this is staging.',
    ])
  })

  test('of a developer’s machine are found in production', async () => {
    const home = homeOf(directory)
    await prepareHome(home)
    writeFileSync(home.secrets, JSON.stringify({ github: { secret: another } }))
    const environment = { STRIPE_WEBHOOK_SECRET: `whsec_${another}${another}`, GITHUB_WEBHOOK_SECRET: another }

    expect(await said(environment)).toEqual([])
    expect(await said(environment, 'live')).toEqual([
      expect.stringContaining('STRIPE_WEBHOOK_SECRET in the environment has the form that "stripe listen" prints'),
      expect.stringContaining('GITHUB_WEBHOOK_SECRET in the environment is a demo secret of "oncehook start"'),
    ])
  })

  test('that two sources or two stages share are found', async () => {
    writeFileSync(
      join(directory, '.env.production'),
      `STRIPE_WEBHOOK_SECRET=${good}\nGITHUB_WEBHOOK_SECRET=${another}\n`,
    )
    writeFileSync(join(directory, '.env.test'), `STRIPE_WEBHOOK_SECRET=${good}\n`)
    writeFileSync(join(directory, '.env'), `STRIPE_WEBHOOK_SECRET=${good}\n`)

    expect(await said({ SLACK_WEBHOOK_SECRET: another, SLACK_SIGNING_SECRET: another })).toEqual([
      'error: SLACK_WEBHOOK_SECRET in the environment and GITHUB_WEBHOOK_SECRET in .env.production are the same secret: what is signed for one source passes at the other.',
      'error: SLACK_SIGNING_SECRET in the environment and GITHUB_WEBHOOK_SECRET in .env.production are the same secret: what is signed for one source passes at the other.',
      'error: STRIPE_WEBHOOK_SECRET in .env.production and STRIPE_WEBHOOK_SECRET in .env.test are the same secret: what is signed for one stage passes at the other.',
    ])
  })
})
