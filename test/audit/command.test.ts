import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect } from 'vitest'
import type { AuditReport } from '../../src/audit/audit.ts'
import { test } from '../cli/command-line.ts'

const root = resolve(import.meta.dirname, '../..')
const planted = join(root, 'test/audit/fixtures/planted')
const clean = join(root, 'test/audit/fixtures/clean')

type Sarif = {
  readonly version: string
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } }
    readonly results: readonly {
      readonly ruleId: string
      readonly ruleIndex: number
      readonly level: string
      readonly message: { readonly text: string }
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string }
          readonly region: { readonly startLine: number; readonly startColumn: number }
        }
      }[]
    }[]
  }[]
}

describe('oncehook audit', () => {
  test('finds nothing in the source of Oncehook', async ({ commandLine }) => {
    const { code, stdout, stderr } = await commandLine.run(['audit', join(root, 'src')])

    expect(stdout).toMatch(/^✓ Nothing found\. \d+ files, \d+ handlers and other functions followed, /)
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  test('ends with 1 where something is wrong, and shows the code, the story and the cure without colours', async ({
    commandLine,
  }) => {
    const { code, stdout } = await commandLine.run(['audit', planted])

    expect(code).toBe(1)
    expect(stdout).toContain(
      [
        '✗ src/fastify/server.ts:24:5  Acknowledged before durable (acknowledged-before-durable)',
        '    23 │     const event = request.body as { id: string }',
        '    24 │     reply.code(200).send({ ok: true }) // finds: acknowledged-before-durable',
        '       │     ^',
        '    25 │     await sql`insert into orders (id) values (${event.id})`',
        '  The provider is told that all is well here, before the work (line 25) has happened: whatever ends the',
      ].join('\n'),
    )
    expect(stdout).toContain('– broken.ts was skipped. It cannot be parsed: Unexpected token (2:13)')
    expect(stdout).toMatch(/\d+ errors, \d+ warnings, 2 hints\. 1 silenced by oncehook-ignore\. 23 files, /)
    expect(stdout).not.toContain('\u001b[')
  })

  test('has colours where they are asked for', async ({ commandLine }) => {
    const { stdout } = await commandLine.run(['audit', clean], { FORCE_COLOR: '1' })

    expect(stdout).toContain('\u001b[32m✓ Nothing found.')
  })

  test('prints JSON and SARIF that say the same', async ({ commandLine }) => {
    const json = await commandLine.json<AuditReport>(['audit', planted])
    const sarif = JSON.parse((await commandLine.run(['audit', planted, '--format', 'sarif'])).stdout) as Sarif

    const [scan] = sarif.runs
    const places = scan?.results.map(({ ruleId, locations }) => {
      const { artifactLocation, region } = locations[0]?.physicalLocation ?? {}
      return `${ruleId} ${artifactLocation?.uri}:${region?.startLine}:${region?.startColumn}`
    })
    expect(sarif.version).toBe('2.1.0')
    expect(places).toEqual(json.findings.map(({ rule, file, line, column }) => `${rule} ${file}:${line}:${column}`))
    expect(scan?.results.every(({ ruleId, ruleIndex }) => scan.tool.driver.rules[ruleIndex]?.id === ruleId)).toBe(true)
    expect(new Set(scan?.results.map(({ level }) => level))).toEqual(new Set(['error', 'warning', 'note']))
  })

  test('lets rules be chosen, and from which severity on it fails', async ({ commandLine }) => {
    const codeOf = async (...words: string[]) => (await commandLine.run(['audit', planted, ...words])).code

    const codes = await Promise.all([
      codeOf('--only', 'select-then-insert,missing-retention', '--fail-on', 'never'),
      codeOf('--only', 'missing-retention', '--fail-on', 'hint'),
      codeOf('--only', 'non-constant-time-comparison', '--fail-on', 'error'),
    ])

    expect(codes).toEqual([0, 1, 0])
  })

  test('lists its rules, each with a chapter of the page', async ({ commandLine }) => {
    const rules = await commandLine.json<readonly { readonly name: string }[]>(['audit', '--list'])

    const page = readFileSync(join(root, 'docs/audit.md'), 'utf8')
    const chapters = [...page.matchAll(/^### ([\w-]+)$/gm)].map(([, name]) => name)
    expect(chapters).toEqual([...rules.map(({ name }) => name), 'ignore-without-reason'])
  })

  test('ends with 2 where it is called wrongly', async ({ commandLine }) => {
    const said = async (...words: string[]) => {
      const { code, stderr } = await commandLine.run(['audit', ...words])
      expect(code).toBe(2)
      return stderr.split('\n')[0]
    }

    expect(await said('nowhere')).toMatch(/there is no folder ".*nowhere"\.$/)
    expect(await said(clean, clean)).toMatch(/audit takes one folder, and no /)
    expect(await said(clean, '--format', 'xml')).toBe('oncehook: --format is "xml": give text, json or sarif.')
    expect(await said(clean, '--fail-on', 'x')).toBe('oncehook: --fail-on is "x": give error, warning, hint or never.')
    expect(await said(clean, '--only', 'x')).toMatch(/There is no rule "x"\. There are: select-then-insert, /)
  })
})
