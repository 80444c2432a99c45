import { describe, expect, test } from 'vitest'
import { type AlertOptions, alertSettingsOf, mistakesInAlerts } from './alert-options.ts'
import { ruleNames } from './rule-options.ts'

const known = { targets: ['ops'], sources: ['stripe'] }

describe('the options of alerts', () => {
  test('need no more than a target: every rule is on, with its own limits', () => {
    const options = { to: 'ops' }

    expect(mistakesInAlerts(options, known)).toEqual([])
    const { rules, ...settings } = alertSettingsOf(options)
    expect(settings).toEqual({
      to: [{ target: 'ops', format: 'json' }],
      everySeconds: 60,
      resolveAfterSeconds: 600,
      remindSeconds: undefined,
    })
    expect(Object.keys(rules)).toEqual(ruleNames)
    expect(rules.lag?.numbers).toEqual({ seconds: 300 })
  })

  test('switch rules off, change limits and leave sources alone', () => {
    const options = { to: 'ops', rules: { lag: false, silence: { minutes: 60, except: ['stripe'] } } } as const

    expect(mistakesInAlerts(options, known)).toEqual([])
    const { rules } = alertSettingsOf(options)
    expect(rules.lag).toBeUndefined()
    expect(rules.silence).toEqual({ numbers: { minutes: 60, expected: 10, factor: 1.5 }, except: new Set(['stripe']) })
  })

  test('are refused with every mistake that is in them', () => {
    const options = {
      to: ['nobody', { target: 'ops', format: 'carrier pigeon' }],
      everySeconds: 0,
      remindHours: 'often',
      rules: {
        duplicate: {},
        lag: { seconds: -1, minutes: 5 },
        silence: { except: ['stripes'] },
        deadline: { except: 'stripe' },
        deadLetters: true,
      },
    } as unknown as AlertOptions

    expect(mistakesInAlerts(options, known)).toEqual([
      'alerts.to names "nobody", which is no target; there are: ops.',
      'the format of alerts is "carrier pigeon": give "json" or "slack".',
      'alerts.everySeconds is 0: give a number from 1 to 3600.',
      'alerts.remindHours is "often": give a number from 0.25 to 720.',
      `alerts.rules.duplicate is no rule; there are: ${ruleNames.join(', ')}.`,
      'alerts.rules.lag.seconds is -1: give a number from 1 to 2592000.',
      'alerts.rules.lag.minutes is no option; there are: seconds.',
      'alerts.rules.silence.except names "stripes", which is no source.',
      'alerts.rules.deadline.except is no list: give names of sources.',
      'alerts.rules.deadLetters is no object: give false or its limits.',
    ])
  })

  test.each([{}, { to: [] }, { to: undefined }])('are refused without a target: %j', (options) => {
    expect(mistakesInAlerts(options as unknown as AlertOptions, { targets: [], sources: [] })).toEqual([
      'alerts.to is missing: name a target of this inbox.',
    ])
  })

  test.each([null, 'ops', 5])('are refused when they are %j', (options) => {
    expect(mistakesInAlerts(options as unknown as AlertOptions, known)).toHaveLength(1)
  })

  test('say that there is no target at all', () => {
    expect(mistakesInAlerts({ to: 'ops' }, { targets: [], sources: [] })).toEqual([
      'alerts.to names "ops", which is no target; this inbox has none: give it one.',
    ])
  })
})
