import { describe, expect, test } from 'vitest'
import { fateOf, identifyThisProcess, startOfProcess } from './process-identity.ts'

const observer = { pid: 1, startedAt: '10', host: 'one', boot: 'a', namespace: 'n' }
const owner = { ...observer, pid: 4711, startedAt: '99' }

describe('the owner of a lock', () => {
  test.for([
    ['alive', 'its process runs and started when it said', owner, '99'],
    ['alive', 'its process runs and nobody can say since when', owner, ''],
    ['dead', 'there is no such process', owner, undefined],
    ['dead', 'its pid was given to another process', owner, '100'],
    ['dead', 'the machine was started anew since', { ...owner, boot: 'b' }, '99'],
    ['dead', 'the container was started anew since', { ...owner, namespace: 'm' }, '99'],
    ['unknown', 'it is in another container', { ...owner, namespace: 'm', host: 'two' }, '99'],
    ['unknown', 'it is on another machine', { ...owner, boot: 'b', host: 'two' }, '99'],
  ] as const)('is %s if %s', ([fate, , of, startedAt]) => {
    expect(fateOf(of, observer, () => startedAt)).toBe(fate)
  })

  test('is found to run in this very process', () => {
    expect(fateOf(identifyThisProcess(), identifyThisProcess())).toBe('alive')
  })
})

test('a process that does not exist has no start', () => {
  expect(startOfProcess(2 ** 22 + 1)).toBeUndefined()
})
