import { describe, expect, test } from 'vitest'
import { stripe } from '../providers/stripe.ts'
import { checkConfig, mistakesOf } from './check-config.ts'

const token = '0123456789abcdef01234567'
const someone = { name: 'ada', role: 'admin', token }

function mistakesIn(admin: unknown, server?: unknown): readonly string[] {
  const sources = { stripe: stripe({ secret: 'whsec_0123456789abcdef' }) }
  try {
    checkConfig({ sources, admin, ...(server !== undefined && { server }) }, 'oncehook.config.ts')
    return []
  } catch (error) {
    return mistakesOf(error)
  }
}

describe('admin in a configuration', () => {
  test.for<[string, unknown, unknown?]>([
    ['nothing at all', undefined],
    ['none', false],
    ['for this machine alone', {}],
    ['on a port of its own', { port: 0, host: '127.0.0.1' }],
    ['beyond this machine, with a token', { tokens: [someone] }, { host: '0.0.0.0' }],
    ['beyond this machine, with a hook', { port: 4401, host: '0.0.0.0', authorize: () => undefined }],
    ['webhooks beyond this machine, and it on a port of its own here', { port: 4401 }, { host: '0.0.0.0' }],
    ['a digest for a token', { tokens: [{ ...someone, token: `sha256:${'a'.repeat(64)}` }], readOnly: true }],
  ])('may be %s', ([, admin, server]) => {
    expect(mistakesIn(admin, server)).toEqual([])
  })

  test.for<[unknown, RegExp, unknown?]>([
    [true, /^admin is not an object: give \{ tokens \}, or false for none\.$/],
    [{ prot: 1 }, /^admin\.prot is no setting; /],
    [{ token: [] }, /^admin\.token is no setting; is tokens meant\?$/],
    [{ port: 70_000 }, /^admin\.port is 70000: give a whole number from 0 to 65535\.$/],
    [{ port: '4401' }, /^admin\.port is "4401": give a whole number from 0 to 65535\.$/],
    [{ port: 1, host: 7 }, /^admin\.host is not a text\.$/],
    [{ host: '127.0.0.1' }, /^admin\.host needs admin\.port: /],
    [{ readOnly: 'yes' }, /^admin\.readOnly is not true or false\.$/],
    [{ sessionHours: 0 }, /^admin\.sessionHours is 0: give more than 0 and at most 720\.$/],
    [{ authorize: 'me' }, /^admin\.authorize is not a function\.$/],
    [{ tokens: token }, /^admin\.tokens is not a list: give \[\{ name, role, token \}\]\.$/],
    [{ tokens: [token] }, /^admin\.tokens\[0\] is not an object: give \{ name, role, token \}\.$/],
    [{ tokens: [{ ...someone, name: '' }] }, /^admin\.tokens\[0\]\.name is missing: /],
    [{ tokens: [{ ...someone, role: 'owner' }] }, /^admin\.tokens\[0\]\.role is not one of viewer, operator, admin\.$/],
    [{ tokens: [{ ...someone, token: 'short' }] }, /^admin\.tokens\[0\]\.token has fewer than 24 characters: /],
    [
      { tokens: [{ ...someone, token: 'sha256:abc' }] },
      /^admin\.tokens\[0\]\.token begins with sha256: and has no 64 /,
    ],
    [{ tokens: [someone, { ...someone, name: 'bob' }] }, /^admin\.tokens\[1\]\.token is that of another one\.$/],
    [{}, /^admin\.tokens and admin\.authorize are both missing, so nobody could log in: /, { host: '0.0.0.0' }],
    [{ port: 1, host: '0.0.0.0', tokens: [] }, /^admin\.tokens and admin\.authorize are both missing, /],
  ])('has one precise answer to %o', ([admin, sentence, server]) => {
    expect(mistakesIn(admin, server)).toEqual([expect.stringMatching(sentence)])
  })

  test('names all mistakes at once, and never a token', () => {
    const tokens = [{ name: '', role: 'owner', token: 'my-short-secret' }]

    const mistakes = mistakesIn({ port: -1, readOnly: 1, tokens })

    expect(mistakes).toHaveLength(5)
    expect(mistakes.join()).not.toContain('my-short-secret')
  })
})
