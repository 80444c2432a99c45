import { describe, expect, test } from 'vitest'
import { stripTypesIn } from '../gateway/strip-types.ts'
import { createCompileCode } from './compile-code.ts'
import { type CodeResult, createRunCode } from './run-code.ts'

const compiled = createCompileCode(stripTypesIn(import.meta.dirname))
const runCode = createRunCode(2)

async function run(code: string, { timeoutMilliseconds = 5000, memoryMegabytes = 32 } = {}): Promise<CodeResult> {
  const input = { body: { amount: 20 }, headers: {}, event: { id: 'evt_1' }, request: null, variables: { rate: 2 } }
  const request = { code: await compiled(code), input, timeoutMilliseconds, memoryMegabytes }
  return runCode(request, new AbortController().signal)
}

describe('the code of a step', () => {
  test('is TypeScript, is given the event, and returns a value', async () => {
    const code = `
      type Amount = { amount: number }
      const total: number = (body as Amount).amount * variables.rate
      await Promise.resolve()
      return { total, id: event.id }`

    expect(await run(code)).toEqual({ kind: 'returned', value: { total: 40, id: 'evt_1' } })
    expect(await run('')).toEqual({ kind: 'returned', value: null })
  })

  test('is ended when it takes too long, needs too much, or never returns', async () => {
    const results = await Promise.all([
      run('while (true) {}', { timeoutMilliseconds: 300 }),
      run('const all = []; while (true) all.push(new Array(100000).fill("x" + all.length))'),
      run('await new Promise(() => {})'),
      run('return "x".repeat(70000)'),
    ])

    expect(results.map(({ kind }) => kind)).toEqual(['timed_out', 'out_of_memory', 'never_returned', 'too_large'])
  })

  test('has nothing of this process at hand', async () => {
    const names = [
      'process',
      'require',
      'fetch',
      'Buffer',
      'setTimeout',
      'WebAssembly',
      'ArrayBuffer',
      'Uint8Array',
      'module',
    ]
    const code = `return [${names.map((name) => `typeof globalThis.${name}`).join(', ')}]`

    expect(await run(code)).toEqual({ kind: 'returned', value: names.map(() => 'undefined') })
    expect(await run(`return (await import('node:fs')).readFileSync('/etc/hostname', 'utf8')`)).toMatchObject({
      kind: 'threw',
    })
    expect(await run(`return new Function('return 1')()`)).toMatchObject({ kind: 'threw' })
  })

  test('tells what it threw, and what cannot be read at all', async () => {
    expect(await run('throw new Error("no such rate")')).toMatchObject({
      kind: 'threw',
      error: expect.stringContaining('no such rate') as string,
    })
    await expect(compiled('return (')).rejects.toThrow(/cannot be read/)
  })
})
