import { describe, expect, test } from 'vitest'
import { apiPath, failureOf } from './client.ts'

describe('the address of a call', () => {
  test('keeps each part as one, and leaves out what is empty', () => {
    expect(apiPath(['datastore', 'a/b', 'c?d'], { prefix: 'x y', cursor: undefined, limit: '' })).toBe(
      'datastore/a%2Fb/c%3Fd?prefix=x+y',
    )
  })
})

describe('a failure', () => {
  test('is told in the words of the server', () => {
    const document = {
      error: { code: 'bad_input', message: 'The rules are wrong.', details: ['a', { path: 'rules[0]', message: 'b' }] },
    }

    expect(failureOf(400, document)).toEqual({
      kind: 'invalid',
      status: 400,
      code: 'bad_input',
      message: 'The rules are wrong.',
      details: ['a', 'rules[0]: b'],
    })
  })

  test.each([
    [401, 'login'],
    [403, 'forbidden'],
    [404, 'missing'],
    [409, 'conflict'],
    [502, 'failed'],
  ])('of status %d is %s, whatever came with it', (status, kind) => {
    expect(failureOf(status, '<html>')).toMatchObject({ kind, status, message: `The server answered ${status}.` })
  })
})
