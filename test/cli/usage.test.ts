import { describe, expect } from 'vitest'
import { test } from './command-line.ts'

const commands = [
  'start',
  'listen',
  'send',
  'prove',
  'audit',
  'simulate',
  'providers',
  'status',
  'doctor',
  'receipts',
  'dead',
  'replay',
  'hold',
  'release',
  'prune',
  'alerts',
  'patterns',
  'migrate',
]

describe('help', () => {
  test('names every command, and no command at all asks for help', async ({ commandLine }) => {
    const [asked, bare] = await Promise.all([commandLine.run(['--help']), commandLine.run([])])

    expect(asked.code).toBe(0)
    for (const command of commands) expect(asked.stdout).toContain(`  ${command} `)
    expect(bare).toEqual(asked)
  })

  test.for(commands)('of %s names its options', async (command, { commandLine }) => {
    const { code, stdout, stderr } = await commandLine.run([command, '--help'])

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`npx oncehook ${command}`)
    expect(stdout).toContain('--json')
  })

  test('knows the version', async ({ commandLine }) => {
    expect((await commandLine.run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('wrong usage', () => {
  test.for([
    [['fly'], 'There is no command "fly".'],
    [['start', '--colour'], 'There is no option --colour here.'],
    [['start', 'now'], 'start takes no "now".'],
    [['start', '--port', '70000'], '--port is "70000": give a whole number from 0 to 65535.'],
    [['start', '--demo', '--no-demo'], 'Give either --demo or --no-demo.'],
    [['listen', 'acme'], 'There is no provider "acme". There are: '],
    [['listen', '--forward', 'ftp://a.example'], '--forward is not an address: give one such as http://localhost:3000'],
    [['listen', '--forward', 'http://me:hush@localhost'], '--forward holds a user name or password'],
    [['listen', '--config', 'nowhere.ts'], 'There is no file nowhere.ts.'],
    [['send'], 'Which provider? There are: adyen, '],
    [['send', 'acme'], 'There is no provider "acme".'],
    [['send', 'stripe', '--times', '0'], '--times is "0"'],
    [['simulate', 'stripe'], 'Which endpoint?'],
    [['simulate', 'stripe', 'http://a.example', '--rate', 'often'], '--rate has to be a rate such as 5/s'],
    [['simulate', 'stripe', 'http://a.example', '--faults', 'timeout'], '--faults has to be a list such as'],
    [['providers', 'stripe', 'github'], 'providers takes one name, and no "github" as well.'],
    [['providers', 'strip'], 'There is no provider "strip". Did you mean stripe?'],
    [['status', 'now'], 'status takes no "now".'],
    [['status', '--every', '5'], '--every needs --watch.'],
    [['doctor', 'now'], 'doctor takes no "now".'],
    [['doctor', '--redis-for', 'fun'], '--redis-for knows no "fun": give cache or messages.'],
    [['doctor', '--redis', 'http://:hush@localhost'], '--redis is not the address of a Redis'],
    [['receipts', 'evt_1'], '"evt_1" is not the id of a receipt. For the id of an event, give --event.'],
    [['receipts', '--body'], '--body needs the id of a receipt.'],
    [['receipts', '--status', 'dead'], '--status knows no "dead"'],
    [['alerts', 'mute', 'lag', '--why', 'test'], '--until is missing'],
    [['alerts', 'acknowledge', '1'], '--why is missing'],
    [['alerts', 'ring'], 'alerts takes acknowledge <id> or mute <rule>'],
    [['patterns', '--since', 'ever'], '--since is "ever"'],
    [['replay', '1'], '--why is missing'],
    [['replay', '--why', 'test'], 'Which receipts?'],
    [['replay', '1', '--status', 'failed', '--why', 'test'], 'Give either ids or a filter.'],
    [['migrate', '--database', 'mysql://user:hush@localhost/app'], '--database is not the address of a PostgreSQL'],
  ] as const)('%j ends with 2 and one sentence on standard error', async ([words, sentence], { commandLine }) => {
    const { code, stdout, stderr } = await commandLine.run(words)

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`oncehook: ${sentence}`)
    expect(stderr).toMatch(/\nSee: npx oncehook .*--help\n$/)
    expect(stderr).not.toContain('hush')
  })
})

describe('without a receiver and without a store', () => {
  test('send says who is missing', async ({ commandLine }) => {
    const { code, stderr } = await commandLine.run([
      'send',
      'stripe',
      '--secret',
      'whsec_dGhpcyBpcyBhIHRlc3Qgc2VjcmV0',
      '--to',
      'http://127.0.0.1:1/in/stripe',
    ])

    expect(code).toBe(1)
    expect(stderr).toMatch(
      /oncehook: Nobody listens at http:\/\/127\.0\.0\.1:1\. Run "npx oncehook start"|did not answer/,
    )
  })

  test('send says where a secret could come from', async ({ commandLine }) => {
    const { code, stderr } = await commandLine.run(['send', 'stripe'])

    expect(code).toBe(1)
    expect(stderr).toMatch(/no secret to sign stripe events with: .* set STRIPE_WEBHOOK_SECRET, or give --secret\.\n$/)
  })

  test('receipts says that there are none yet', async ({ commandLine }) => {
    const { code, stderr } = await commandLine.run(['receipts'])

    expect(code).toBe(1)
    expect(stderr).toMatch(
      /There are no receipts in .*\.oncehook\/data yet: run ".* start" here, or give --database\.\n$/,
    )
  })

  test('send lists what there are samples of', async ({ commandLine }) => {
    const list = await commandLine.json<readonly { provider: string; types: readonly string[] }[]>(['send', '--list'])

    expect(list.find(({ provider }) => provider === 'stripe')?.types).toContain('invoice.paid')
  })

  test('migrate prints its SQL', async ({ commandLine }) => {
    const { code, stdout } = await commandLine.run(['migrate', '--print', '--schema', 'elsewhere'])

    expect(code).toBe(0)
    expect(stdout).toMatch(/create table [^;]*elsewhere/i)
  })
})
