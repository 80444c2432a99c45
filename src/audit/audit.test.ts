import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { audit } from './audit.ts'
import { allRules } from './rules/all-rules.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const planted = join(root, 'test/audit/fixtures/planted')
const clean = join(root, 'test/audit/fixtures/clean')

describe('a project with planted faults', () => {
  const report = audit(planted)

  test('has all of them found, at their lines, and nothing else', () => {
    const found = report.findings.map(({ file, line, rule }) => `${file}:${line} ${rule}`)

    expect(found.toSorted()).toEqual(markedIn(planted).toSorted())
  })

  test('has each rule broken in at least two ways', () => {
    const counts = allRules.map(({ name }) => report.findings.filter(({ rule }) => rule === name).length)

    expect(Math.min(...counts)).toBeGreaterThanOrEqual(2)
  })

  test('has one finding silenced by a comment with a reason', () => {
    expect(report.ignored).toBe(1)
  })

  test('goes on where a file cannot be parsed, and says so', () => {
    expect(report.skipped).toEqual([{ file: 'broken.ts', reason: expect.stringContaining('Unexpected token (2:13)') }])
  })

  test('shows the code of each finding, what goes wrong, and where the cure is', () => {
    const finding = report.findings.find(({ file }) => file === 'src/express/select-first.js')

    expect(finding).toMatchObject({
      line: 10,
      column: 24,
      severity: 'error',
      link: 'docs/prover.md#select-then-insert',
    })
    expect(finding?.code[1]).toContain('SELECT 1 FROM processed_events')
    expect(finding?.story).toMatch(/^Two copies that come at once both look here and find nothing/)
  })
})

describe('what is right', () => {
  test('leaves nothing to report in a project of many styles and look-alikes', () => {
    const report = audit(clean)

    expect(report.findings).toEqual([])
    expect(report.skipped).toEqual([])
    expect(report.handlers).toBeGreaterThan(20)
  })
})

describe('the handlers of the examples', () => {
  const { findings, skipped } = audit(join(root, 'examples'))

  /** Those that are wrong on purpose, with what is wrong about them. All others are right. */
  const wrong: Readonly<Record<string, readonly string[]>> = {
    'migrate-processed-events/src/old-handler.ts': ['select-then-insert', 'missing-retention'],
    'prove/acknowledge-first.mjs': ['acknowledged-before-durable'],
    'prove/claim-then-process.mjs': ['claim-then-process'],
    'prove/delete-on-failure.mjs': ['delete-on-failure'],
    'prove/redis-set-nx.mjs': ['claim-then-process'],
    'prove/select-then-insert.mjs': ['select-then-insert'],
  }

  test('are named by their faults where they are wrong, and not mentioned where they are right', () => {
    const found: Record<string, string[]> = {}
    for (const { file, rule } of findings) (found[file] ??= []).push(rule)

    expect(found).toEqual(wrong)
    expect(skipped).toEqual([])
  })

  test('that are wrong say so in a comment', () => {
    const said = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:mjs|ts)$/.test(name) && !name.includes('node_modules'))
      .filter((name) => /^(?:\/\/| \*) WRONG[.,]/m.test(readFileSync(join(root, 'examples', name), 'utf8')))

    expect(said.toSorted()).toEqual(Object.keys(wrong).toSorted())
  })
})

describe('what is read', () => {
  const fault = `
    import { createServer } from 'node:http'
    createServer(async (req, res) => {
      res.end()
      await processEvent(JSON.parse(req.body))
    })`

  test('is neither installed, built, hidden, a test nor ignored by git', () => {
    const folder = projectOf({
      'webhooks/right-here.ts': fault,
      'node_modules/some/webhooks.js': fault,
      'dist/webhooks.js': fault,
      '.next/webhooks.js': fault,
      'webhooks/handler.test.ts': fault,
      'webhooks/types.d.ts': fault,
      'generated-by-us/webhooks.ts': fault,
      'webhooks/secret.local.ts': fault,
      'webhooks/kept.local.ts': fault,
      '.gitignore': '# ours\n/generated-by-us/\n*.local.ts\n!kept.local.ts\n',
    })

    expect(audit(folder).findings.map(({ file }) => file)).toEqual(['webhooks/kept.local.ts', 'webhooks/right-here.ts'])
  })

  test('stops at files that are too large, and says so', () => {
    const folder = projectOf({ 'webhook.js': `${fault}\n//${'x'.repeat(1_000_000)}` })

    expect(audit(folder)).toMatchObject({
      findings: [],
      skipped: [{ file: 'webhook.js', reason: expect.stringMatching(/^It has 1,000,\d+ bytes; more than/) }],
    })
  })

  test.each(['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'])('is found in .%s', (ending) => {
    const folder = projectOf({ [`webhook.${ending}`]: fault })

    expect(audit(folder).findings.map(({ rule }) => rule)).toEqual(['acknowledged-before-durable'])
  })

  test('may call itself, import itself and nest as deep as it likes', () => {
    const nested = `${'('.repeat(400)}1${')'.repeat(400)}`
    const folder = projectOf({
      'one.ts': `import { two } from './two'\nexport const one = () => two()\none()`,
      'two.ts': `import { one } from './one'\nexport function two() { one(); two() }\nconst event = ${nested}`,
    })

    expect(audit(folder)).toMatchObject({ findings: [], skipped: [] })
  })

  test('is a folder', () => {
    expect(() => audit(join(root, 'nowhere'))).toThrow(/there is no folder ".*nowhere"/)
  })
})

describe('a comment that silences', () => {
  const withComment = (comment: string): string =>
    `require('http').createServer(async (req, res) => {\n${comment}\nawait processEvent(JSON.parse(req.body))\n}) // webhook`

  test.each([
    ['on the line above', '// oncehook-ignore: a queue in front keeps it\nres.end()'],
    ['on the line', 'res.end() // oncehook-ignore a queue in front keeps it'],
    ['as a block', '/* oncehook-ignore\n * a queue in front keeps it */\nres.end()'],
  ])('counts %s', (_, comment) => {
    const report = audit(projectOf({ 'webhook.js': withComment(comment) }))

    expect(report).toMatchObject({ findings: [], ignored: 1 })
  })

  test.each([
    ['without a reason', '// oncehook-ignore\nres.end()', ['ignore-without-reason', 'acknowledged-before-durable']],
    ['too far away', '// oncehook-ignore because\n\nres.end()', ['acknowledged-before-durable']],
  ])('does not count %s', (_, comment, rules) => {
    const report = audit(projectOf({ 'webhook.js': withComment(comment) }))

    expect(report.findings.map(({ rule }) => rule)).toEqual(rules)
  })
})

/** Lines that end with `finds: rule, rule`. */
function markedIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.flatMap(({ parentPath, name }) => {
    const path = join(parentPath, name)
    const file = path.slice(folder.length + 1).replaceAll('\\', '/')
    return readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const rules = /\/\/ finds: ([\w, -]+)$/.exec(line)?.[1]?.split(', ') ?? []
        return rules.map((rule) => `${file}:${index + 1} ${rule}`)
      })
  })
}

/** A project on disk for the length of a test. */
function projectOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'oncehook-audit-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}
