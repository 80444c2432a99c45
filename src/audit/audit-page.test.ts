import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { audit } from './audit.ts'

const page = readFileSync(new URL('../../docs/audit.md', import.meta.url), 'utf8')

/** What the examples of the page stand in. */
const around = (code: string): string => `
  import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
  import { app, db, invoices, mailer, pool, prisma, processedEvents, redis, sql } from 'ours'

  app.post('/webhooks', async (request, response) => {
    const event = request.body
${code}
  })

  const transaction = (work) => pool.transaction(work)
  setInterval(() => pool.query('delete from processed_events where received_at < now()'), 86_400_000)
  setInterval(() => pool.query('delete from "processedEvents" where received_at < now()'), 86_400_000)`

const examples = [...page.matchAll(/^### ([\w-]+)$([\s\S]*?)(?=^##)/gm)].flatMap(([, rule = '', chapter = '']) =>
  [...chapter.matchAll(/^```js (wrong|right)\n([\s\S]*?)^```$/gm)].map(([, kind, code = '']) => ({ rule, kind, code })),
)

test.each(examples)('the example of $rule that is $kind is seen as such', ({ rule, kind, code }) => {
  const folder = mkdtempSync(join(tmpdir(), 'oncehook-audit-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'handler.js'), around(code))

  expect(audit(folder).findings.map((finding) => finding.rule)).toEqual(kind === 'wrong' ? [rule] : [])
})

test('every rule has an example', () => {
  const rules = new Set(examples.filter(({ kind }) => kind === 'wrong').map(({ rule }) => rule))

  expect(rules.size).toBe(10)
})
