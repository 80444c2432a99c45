import { describe, expect, test } from 'vitest'
import { faultsOption, lengthOption, outageOption, rateOption, secondsOption, speedOption } from './simulate-values.ts'

describe('the values of simulate', () => {
  test('are read', () => {
    expect([lengthOption('for', '90s'), lengthOption('for', '1.5h'), lengthOption('for', undefined)]).toEqual([
      90,
      5_400,
      undefined,
    ])
    expect([rateOption('5/s'), rateOption('12/min'), rateOption('100/h')]).toEqual([0.2, 5, 36])
    expect([speedOption('1000x', false), speedOption('jump', false), speedOption(undefined, true)]).toEqual([
      1000,
      'jump',
      1,
    ])
    expect(faultsOption('timeout=5%, lost-answer=0.1')).toEqual({ timeout: 0.05, 'lost-answer': 0.1 })
    expect([outageOption('3h'), outageOption('3h@30m'), outageOption('1h@0')]).toEqual([
      { seconds: 10_800 },
      { seconds: 10_800, afterSeconds: 1_800 },
      { seconds: 3_600, afterSeconds: 0 },
    ])
    expect(secondsOption('deadline', '0.5')).toBe(0.5)
  })

  test.each([
    () => lengthOption('for', 'long'),
    () => rateOption('0/s'),
    () => speedOption('fast', false),
    () => speedOption('5x', true),
    () => faultsOption('timeout'),
    () => outageOption('3h@soon'),
    () => secondsOption('deadline', '-1'),
  ])('are refused with one sentence (%#)', (read) => {
    expect(read).toThrow(/such as|either|number of seconds/)
  })
})
