import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { permanent } from '../../src/index.ts'
import { counters, gauges, histograms, readCounters } from '../../src/observe/metric-list.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { github } from '../../src/providers/github.ts'
import { handler } from '../../src/targets/handler.ts'
import { test as base, providerWithDeadline, secret } from './open-inbox.ts'
import { promtool } from './promtool.ts'
import { dashboardQueries, groupsOf, rulesFile, selectorsOf } from './queries.ts'
import { samplesOf } from './samples.ts'

const tool = await promtool()
const ruleTests = ['prometheus-rules.test.yml', 'prometheus-rules-over-days.test.yml'].map((file) =>
  join(import.meta.dirname, file),
)
const all = [counters, histograms, gauges, readCounters].flatMap((metrics) =>
  Object.values<{ readonly name: string }>(metrics).map(({ name }) => name),
)
/** Labels that Prometheus sets by itself. */
const ownLabels = ['job', 'instance']

/** A scrape of an inbox in which everything has happened that is measured. */
const test = base.extend<{ readonly scrape: string }>({
  scrape: async ({ openInbox, database: { query, schema } }, use) => {
    if (scraped === undefined) {
      const sources = { hasty: providerWithDeadline(0.000_001), github: github({ secret }) }
      const refusing = handler(() => {
        throw permanent(new Error('never'))
      })
      const inbox = openInbox({ sources, mode: 'queued', targets: { mail: refusing } })
      inbox.on('hasty', 'paid', async ({ id }, { once, latest, outbox }) => {
        await once('the one mail', () => outbox.add('mail', {}))
        await latest('the one state', id === 'paid 1' ? 2 : 1, () => {})
      })
      inbox.on('hasty', 'told', () => {}, { sameChange: () => 'the one change' })
      inbox.on('hasty', 'broken', () => {
        throw permanent(new Error('never'))
      })
      const metrics = createMetrics(inbox)
      const send = (id: string, type: string): Promise<unknown> =>
        inbox.receive('hasty', sources.hasty.sign({ id, type, payload: { id, type } }, new Date()))
      const push = (id: string, key = secret): Promise<unknown> =>
        inbox.receive('github', github({ secret: key }).sign({ id, type: 'push', payload: {} }, new Date()))

      for (const type of ['paid', 'told', 'broken', 'nobody']) {
        await send(`${type} 1`, type)
        await inbox.drain()
        await send(`${type} 2`, type)
        await inbox.drain()
      }
      await send('paid 1', 'paid')
      await push('one')
      await push('two')
      await push('forged', 'another secret of 32 characters!')
      await inbox.receive('github', { method: 'PUT' })
      await inbox.prune()
      await query(`alter table "${schema}".receipts rename to hidden`)
      await push('not taken')
      await query(`alter table "${schema}".hidden rename to receipts`)
      scraped = await (await metrics.handler(new Request('http://localhost/metrics'))).text()
    }
    await use(scraped)
  },
})
let scraped: string | undefined

describe.skipIf(tool === undefined)('promtool', () => {
  test('finds nothing wrong with a scrape', ({ scrape }) => {
    expect(tool?.(['check', 'metrics'], scrape)).toEqual({ isContent: true, said: '' })
  })

  test('reads the alert rules', () => {
    expect(tool?.(['check', 'rules', rulesFile])).toMatchObject({ isContent: true })
  })

  test('sees the alert rules fire for their causes, and not without', () => {
    expect(tool?.(['test', 'rules', ...ruleTests])).toMatchObject({ isContent: true })
  })

  test('reads every query of the dashboard', ({ onTestFinished }) => {
    const rules = dashboardQueries().map(({ expression }, index) => ({ record: `query:${index}`, expr: expression }))
    const folder = mkdtempSync(join(tmpdir(), 'oncehook-dashboard-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'rules.yml')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))

    const { isContent, said } = tool?.(['check', 'rules', file]) ?? {}

    expect({ isContent, said }).toEqual({ isContent: true, said: expect.stringContaining(`${rules.length} rules`) })
  })
})

describe('the alert rules', () => {
  const rules = readFileSync(rulesFile, 'utf8')

  test('are each seen to fire', () => {
    const tested = ruleTests.map((file) => readFileSync(file, 'utf8')).join('\n')
    const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
    const fires = (name: string): boolean =>
      new RegExp(`alertname: ${name}\\n +eval_time: \\w+\\n +exp_alerts:\\n +- exp_labels`).test(tested)

    expect(alerts).not.toEqual([])
    expect(alerts.filter((name) => !fires(name))).toEqual([])
  })

  test('ask only for what a scrape has', ({ scrape }) => {
    expect(unknownOf(rules, scrape)).toEqual([])
  })
})

describe('the dashboard', () => {
  const queries = dashboardQueries()

  test('asks only for what a scrape has', ({ scrape }) => {
    expect(queries.flatMap(({ expression }) => unknownOf(expression, scrape))).toEqual([])
  })

  test('names its lines by labels that its queries leave', () => {
    const missing = queries.flatMap(({ panel, expression, legend }) =>
      [...legend.matchAll(/\{\{(\w+)\}\}/g)]
        .filter(([, label = '']) => !groupsOf(expression).includes(label))
        .map(([, label]) => `${panel}: ${label}`),
    )

    expect(missing).toEqual([])
  })

  test('shows every metric', () => {
    const shown = new Set(
      queries.flatMap(({ expression }) => selectorsOf(expression)).map(({ metric }) => familyOf(metric)),
    )

    expect(all.filter((name) => !shown.has(name))).toEqual([])
  })
})

describe('a scrape', () => {
  test('has every metric when everything has happened', ({ scrape }) => {
    expect(all.filter((name) => !scrape.includes(`# TYPE ${name} `))).toEqual([])
  })
})

/** Metrics, and labels of them, that an expression names and a scrape does not have. */
function unknownOf(expression: string, scrape: string): readonly string[] {
  const known = labelsByMetric(scrape)
  const unknown = selectorsOf(expression).flatMap(({ metric, labels }) => {
    const found = known.get(metric)
    if (found === undefined) return [metric]
    return labels
      .filter((label) => !found.has(label) && !ownLabels.includes(label))
      .map((label) => `${metric}: ${label}`)
  })
  const reachable = new Set(selectorsOf(expression).flatMap(({ metric }) => [...(known.get(metric) ?? [])]))
  return [...unknown, ...groupsOf(expression).filter((label) => !reachable.has(label) && !ownLabels.includes(label))]
}

function labelsByMetric(scrape: string): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, Set<string>>()
  for (const sample of Object.keys(samplesOf(scrape))) {
    const [name = '', labels = ''] = sample.split('{')
    const found = known.get(name) ?? new Set()
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) found.add(label)
    known.set(name, found)
  }
  return known
}

function familyOf(metric: string): string {
  return metric.replace(/_(?:bucket|sum|count)$/, '')
}
