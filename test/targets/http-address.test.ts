import { describe, expect } from 'vitest'
import { http } from '../../src/targets/http.ts'
import { addressRule, type HostAddress } from '../../src/targets/http-address.ts'
import { outgoingMessage, patient } from './outgoing-message.ts'
import { test } from './test-with-http.ts'

/** Ways to write an address of this machine or its network, each of which a careless check lets pass. */
const spellings = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.000.000.001',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '0x7f000001',
  '0x7f.0x0.0x0.0x1',
  '0x7F.1',
  '１２７.０.０.１',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '0',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:0:127.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::7f00:1]',
  '[100::1]',
  '[2001::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::1]',
  '[3fff::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
]

describe('an address inside', () => {
  test.for(spellings)('is refused when it is written %s', async (host, { target, receiver }) => {
    const trap = await receiver()
    const url = `http://${host}:${trap.port}/`

    const results = await target({ url: () => url, allowPrivateAddresses: false, allowInsecure: true }).deliver(
      [outgoingMessage()],
      patient(),
    )

    expect(results).toEqual([
      { kind: 'failed', error: expect.stringContaining('private or reserved'), retry: 'permanent' },
    ])
    expect(() => http({ url, allowInsecure: true })).toThrow('private or reserved')
    expect(trap.sockets).toEqual([])
  })

  test.for(['localhost', 'LOCALHOST', 'localhost.'])(
    'is refused under the name %s',
    async (name, { receiver, target }) => {
      const trap = await receiver()

      const results = await target({
        url: `http://${name}:${trap.port}/`,
        allowPrivateAddresses: false,
        allowInsecure: true,
      }).deliver([outgoingMessage()], patient())

      expect(results).toMatchObject([{ kind: 'failed', retry: 'later' }])
      expect(trap.sockets).toEqual([])
    },
  )

  test.for(['10.0.0.7', '::1', '::ffff:10.0.0.7', 'fe80::1%eth0', 'nonsense', ''])(
    'is refused when a name stands for %s, also beside a public one',
    async (address, { target }) => {
      const resolve = async (): Promise<readonly HostAddress[]> => [
        { address: '93.184.216.34', family: 4 },
        { address, family: 4 },
      ]

      const results = await target({
        url: 'https://hooks.example.com/',
        allowPrivateAddresses: false,
        resolve,
      }).deliver([outgoingMessage()], patient())

      const error = expect.stringContaining('hooks.example.com is a private or reserved address')
      expect(results).toEqual([{ kind: 'failed', error, retry: 'later' }])
    },
  )

  test('is reached if it is one of those allowed, and no other', async ({ receiver, target }) => {
    const allowed = await receiver()
    const trap = await receiver(undefined, { address: '127.0.0.2' })
    const url = (message: { readonly message: unknown }): string => String(message.message)
    const guarded = target({
      url,
      allowInsecure: true,
      allowPrivateAddresses: ['127.0.0.1', '10.1.0.0/16', 'fd00::/8'],
    })

    const first = await guarded.deliver([outgoingMessage({ message: allowed.url })], patient())
    const second = await guarded.deliver([outgoingMessage({ message: trap.url })], patient())

    expect(first).toEqual([{ kind: 'published' }])
    expect(second).toMatchObject([{ retry: 'permanent' }])
    expect(trap.sockets).toEqual([])
  })
})

describe('a name', () => {
  test('is resolved once per message, and the connection goes to what was checked', async ({ receiver, target }) => {
    const allowed = await receiver(undefined, { address: '127.0.0.2' })
    const trap = await receiver(undefined, { port: allowed.port })
    const answers = ['127.0.0.2', '127.0.0.1']
    const asked: string[] = []
    const rebinding = target({
      // No other resolver knows this name, so any further look-up would fail.
      url: `http://rebinding.invalid:${allowed.port}/`,
      allowInsecure: true,
      allowPrivateAddresses: ['127.0.0.2'],
      resolve: async (hostname) => {
        asked.push(hostname)
        return [{ address: answers.shift() ?? '', family: 4 }]
      },
    })

    const first = await rebinding.deliver([outgoingMessage()], patient())
    const second = await rebinding.deliver([outgoingMessage()], patient())

    expect(first).toEqual([{ kind: 'published' }])
    expect(second).toMatchObject([{ kind: 'failed', retry: 'later' }])
    expect(asked).toEqual(['rebinding.invalid', 'rebinding.invalid'])
    expect(allowed.requests).toMatchObject([{ headers: { host: `rebinding.invalid:${allowed.port}` } }])
    expect(trap.sockets).toEqual([])
  })

  test('that cannot be resolved, or not in time, is tried again later', async ({ target }) => {
    const url = 'https://hooks.example.com/'
    const refused = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })

    const unknown = await target({ url, resolve: () => Promise.reject(refused) }).deliver(
      [outgoingMessage()],
      patient(),
    )
    const none = await target({ url, resolve: async () => [] }).deliver([outgoingMessage()], patient())
    const slow = await target({ url, resolve: () => new Promise(() => {}), timeoutSeconds: 0.05 }).deliver(
      [outgoingMessage()],
      patient(),
    )

    expect([...unknown, ...none, ...slow]).toEqual([
      { kind: 'failed', error: 'Error: hooks.example.com could not be reached: ENOTFOUND.', retry: 'later' },
      { kind: 'failed', error: 'Error: hooks.example.com has no address.', retry: 'later' },
      { kind: 'failed', error: 'Error: hooks.example.com did not answer in time.', retry: 'later' },
    ])
  })
})

describe('a redirect', () => {
  test.for([301, 302, 303, 307, 308])('of %d to this machine is not followed', async (status, { receiver, target }) => {
    const trap = await receiver()
    const server = await receiver((response) => response.writeHead(status, { location: trap.url }).end())

    const results = await target({ url: server.url }).deliver([outgoingMessage()], patient())

    expect(results).toMatchObject([{ error: expect.stringContaining('never followed'), retry: 'later' }])
    expect(trap.sockets).toEqual([])
  })
})

describe('a URL', () => {
  test.for([
    ['http://hooks.example.com/', 'allowInsecure'],
    ['ftp://hooks.example.com/', 'https:'],
    ['file:///etc/passwd', 'https:'],
    ['https://user:hunter22@hooks.example.com/', 'headers.authorization'],
    ['hooks.example.com', 'not a URL'],
    ['', 'not a URL'],
  ] as const)(
    'such as %s is refused at once, and for good when a function gives it',
    async ([url, hint], { target }) => {
      const results = await target({ url: () => url, allowPrivateAddresses: false }).deliver(
        [outgoingMessage()],
        patient(),
      )

      expect(() => http({ url })).toThrow(hint)
      expect(results).toMatchObject([{ error: expect.stringContaining(hint), retry: 'permanent' }])
      expect(JSON.stringify(results)).not.toContain('hunter22')
    },
  )
})

describe('the options', () => {
  test('are refused all at once when they make no sense, without repeating a secret', () => {
    const make = (): unknown =>
      http({
        url: 'https://hooks.example.com/',
        secret: ['se cret', ''],
        headers: { 'webhook-id': '1', 'bad name': '', 'x-token': 'a\nb' },
        allowPrivateAddresses: ['10.0.0.0/33', 'office'],
        concurrency: 0,
      })

    expect(make).toThrow(
      /concurrency[\s\S]+10\.0\.0\.0\/33[\s\S]+office[\s\S]+webhook-id[\s\S]+bad name[\s\S]+x-token[\s\S]+secret 1[\s\S]+secret 2/,
    )
    expect(make).not.toThrow('se cret')
  })

  test('are refused when the secret is not set, rather than sending unsigned', () => {
    const secret = process.env['ONCEHOOK_NO_SUCH_SECRET'] as string

    expect(() => http({ url: 'https://hooks.example.com/', secret })).toThrow('environment variable')
  })
})

describe('the rule for addresses', () => {
  test.for(['1.1.1.1', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
    'lets pass %s',
    (address) => {
      expect(addressRule(false)(address)).toBe(true)
    },
  )
})
