import { describe, expect, test } from 'vitest'
import { placeOf } from './automation-options.ts'
import { automationMistakes } from './check-automation.ts'

const place = placeOf({ secrets: { CRM: 'x' } }, ['stripe'])
const on = { source: 'stripe' }
const steps = (...given: readonly unknown[]): unknown => ({ on, steps: given })

describe('an automation', () => {
  test('that says all it needs is right', () => {
    const right = {
      on: { source: 'stripe', types: ['invoice.*'] },
      note: 'Tells the CRM once.',
      steps: [
        { kind: 'extract', path: '$.data.object.id', as: 'invoice' },
        {
          kind: 'condition',
          value: '{{$.data.object.total}}',
          operator: 'greater',
          than: 0,
          otherwise: 'skip',
          skip: 2,
        },
        { kind: 'dedup', key: '{{invoice}}', ttlSeconds: 60 },
        { kind: 'store', operation: 'increment', namespace: 'paid', key: '{{event.type}}', as: 'count' },
        { kind: 'code', code: 'return { n: variables.count }', as: 'made' },
        {
          kind: 'forward',
          to: 'https://crm.example.com/{{invoice}}',
          headers: { authorization: 'Bearer {{secret.CRM}}' },
          body: { made: '{{made.n}}' },
        },
      ],
    }

    expect(automationMistakes('tell-crm', right, place)).toEqual([])
  })

  test.each([
    ['no object', 7, /not an object/],
    ['another source', { on: { source: 'github' }, steps: [] }, /on\.source is no source; there are: stripe/],
    ['no trigger', { steps: [] }, /on has to be/],
    ['no steps', { on, steps: [] }, /steps is not a list of 1 to 50/],
    ['an unknown step', steps({ kind: 'sleep' }), /steps\[0\]\.kind is not extract/],
    ['an unknown member', steps({ kind: 'extract', path: '$', as: 'a', wehn: 1 }), /steps\[0\]\.wehn is unknown/],
    ['a bad path', steps({ kind: 'extract', path: '$..a', as: 'a' }), /steps\[0\]\.path is no path/],
    ['a variable that is taken', steps({ kind: 'extract', path: '$', as: 'body' }), /as is body, which has a meaning/],
    ['a variable that comes later', steps({ kind: 'dedup', key: '{{later}}' }), /names later, which no step before/],
    ['an operator of its own', steps({ kind: 'condition', value: 1, operator: 'like' }), /operator is not one of/],
    [
      'a skip past the end',
      steps({ kind: 'condition', value: 1, operator: 'exists', skip: 3 }),
      /skip is not a whole number/,
    ],
    ['an address of the event', steps({ kind: 'forward', to: '{{$.url}}' }), /not made from the event/],
    ['a host of the event', steps({ kind: 'forward', to: 'https://{{$.host}}/a' }), /not made from the event/],
    ['an open address', steps({ kind: 'forward', to: 'http://example.com' }), /cannot be sent to/],
    [
      'an unknown secret',
      steps({ kind: 'forward', to: 'https://a.b', headers: { a: '{{secret.X}}' } }),
      /there are: CRM/,
    ],
    ['a secret in a body', steps({ kind: 'forward', to: 'https://a.b', body: '{{secret.CRM}}' }), /only headers/],
    ['an answer to nobody', steps({ kind: 'respond' }), /only a capture endpoint/],
    ['slow code', steps({ kind: 'code', code: 'return 1', timeoutMilliseconds: 60_000 }), /timeoutMilliseconds is not/],
    ['a NUL', steps({ kind: 'dedup', key: 'a\u0000' }), /key is not a text/],
  ])('with %s is refused, by its path', (_, given, message) => {
    expect(automationMistakes('a', given, place).join('\n')).toMatch(message)
  })

  test('with code is refused where code is switched off', () => {
    const off = placeOf({ code: 'off' }, ['stripe'])

    expect(automationMistakes('a', steps({ kind: 'code', code: 'return 1' }), off)).toEqual([
      'steps[0] has code, which is switched off here (automations.code).',
    ])
  })

  test('needs a name that fits into an address', () => {
    expect(automationMistakes('A b', steps({ kind: 'dedup', key: 'a' }), place)).toHaveLength(1)
  })
})
