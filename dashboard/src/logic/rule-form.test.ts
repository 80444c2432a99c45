import { describe, expect, test } from 'vitest'
import type { Rule } from '../api/tool-types.ts'
import { describeRule, emptyRule, formOfRule, ruleOfForm } from './rule-form.ts'

const rules: readonly Rule[] = [
  { answer: { status: 200 } },
  { name: 'retry', when: { method: 'POST', first: 3 }, answer: { status: 500, delaySeconds: 2 } },
  {
    name: 'all',
    when: {
      method: ['PUT', 'PATCH'],
      path: '/orders/*',
      headers: { 'x-test': 'a*', 'x-other': { exists: false } },
      query: { page: '2' },
      json: { 'data.count': 3, 'data.paid': true, 'data.id': '3', 'data.none': null, 'data.any': { exists: true } },
      probability: 0.5,
      after: 2,
    },
    answer: { status: 201, headers: { location: 'http://a/b' }, json: { ok: [1] } },
  },
  { answer: { hang: true, delaySeconds: 5 } },
  { answer: { drop: true } },
  { answer: { status: 200, body: '{{json.challenge}}' } },
]

describe('a rule', () => {
  test.each(rules)('comes back from the form as it was: %j', (rule) => {
    expect(ruleOfForm(formOfRule(rule))).toEqual(rule)
  })

  test('leaves a mistake for the server to name', () => {
    expect(ruleOfForm({ ...emptyRule, status: 'many', isJson: true, body: '{' })).toEqual({
      answer: { status: 'many', json: '{' },
    })
  })

  test('reads a condition without a value as one that there is any', () => {
    expect(ruleOfForm({ ...emptyRule, headers: 'x-test' }).when?.headers).toEqual({ 'x-test': { exists: true } })
  })

  test('is told in one line', () => {
    expect(rules.slice(0, 2).map(describeRule)).toEqual([
      'every request → answer 200',
      'POST, the first 3 → answer 500 after 2 s',
    ])
    expect(describeRule(rules[4] as Rule)).toBe('every request → drop the connection')
  })
})
