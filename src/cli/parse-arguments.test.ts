import { describe, expect, test } from 'vitest'
import { exitCodeOf } from './failure.ts'
import { parseArguments, wholeNumber } from './parse-arguments.ts'

const options = {
  port: { type: 'string', value: 'n', meaning: '' },
  json: { type: 'boolean', meaning: '' },
} as const

describe('arguments', () => {
  test('are options and the rest, in any order', () => {
    const { values, positionals } = parseArguments(['stripe', '--port', '80', 'invoice.paid', '--json'], options)

    expect({ ...values }).toEqual({ port: '80', json: true })
    expect(positionals).toEqual(['stripe', 'invoice.paid'])
  })

  test('always know --help', () => {
    expect(parseArguments(['-h'], options).values['help']).toBe(true)
    expect(parseArguments(['--help'], options).values['help']).toBe(true)
  })

  test.each([
    [['--colour'], 'There is no option --colour here.'],
    [['-x'], 'There is no option -x here.'],
    [['--port'], 'The option --port needs a value.'],
    [['--port', '--json'], 'The option --port needs a value.'],
    [['--json=yes'], 'The option --json takes no value.'],
    [['--json', '--json'], '--json is given twice: give it once.'],
  ])('%j are wrong usage, and the sentence says why', (words, sentence) => {
    const error = errorOf(() => parseArguments(words, options))

    expect(error.message).toBe(sentence)
    expect(exitCodeOf(error)).toBe(2)
  })
})

describe('a whole number', () => {
  test('within the limits is taken', () => {
    expect(wholeNumber('port', '65535', { atLeast: 0, atMost: 65_535 })).toBe(65_535)
  })

  test.each(['65536', '-1', '1.5', 'many', '', ' 1', '1e3'])('is not read from %j', (text) => {
    const error = errorOf(() => wholeNumber('port', text, { atLeast: 0, atMost: 65_535 }))

    expect(error.message).toBe(`--port is ${JSON.stringify(text)}: give a whole number from 0 to 65535.`)
  })
})

function errorOf(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('Nothing was thrown.')
}
