import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { describe, expect, test } from 'vitest'
import { mistakesIn, sections } from '../../site/navigation.ts'
import { pagesOfDocs } from '../../site/pages.ts'
import { pagesOfProject } from '../../site/site-page.ts'
import { allCommands } from '../../src/cli/all-commands.ts'
import * as index from '../../src/index.ts'
import { providerList } from '../../src/testing/catalogue/provider-list.ts'
import { placeOf } from '../../src/testing/field-places.ts'
import * as testKit from '../../src/testing/index.ts'
import { anchorsOf, proseOf, readPage, readPages, root } from './pages.ts'
import { undocumentedExports } from './undocumented.ts'

const pages = readPages()
const { exports: exportsOfPackage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, string>>
}
const commands = await Promise.all(Object.values(allCommands).map((load) => load()))

describe('every page', () => {
  test('links to files and headings that exist', () => {
    const ofProviders = pagesOfDocs(root)
      .filter((path) => path.startsWith('docs/providers/'))
      .map(readPage)
    const broken = [...pages, ...ofProviders].flatMap((page) =>
      [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) =>
        isThere(page.path, target) ? [] : [`${page.path}: ${target}`],
      ),
    )

    expect(broken).toEqual([])
  })

  test('can be reached from the README', () => {
    const linked = proseOf(readPage('README.md'))

    expect(
      pages.map(({ path }) => path).filter((path) => path !== 'README.md' && !linked.includes(`(${path}`)),
    ).toEqual([])
  })
})

describe('the navigation of the site', () => {
  test('has every page once', () => {
    const written = pagesOfDocs(root).filter((path) => /^docs\/(?:[^/]+|providers\/README)\.md$/.test(path))

    expect(mistakesIn(sections, [...written, ...pagesOfProject.keys()])).toEqual([])
  })

  test('is held to it', () => {
    const twice = [{ title: 'Start', pages: ['docs/a.md', 'docs/a.md', 'docs/gone.md'] }]

    expect(mistakesIn(twice, ['docs/a.md', 'docs/new.md'])).toEqual([
      'docs/new.md is in no section of site/navigation.ts: add it where its reader would look for it.',
      'site/navigation.ts lists docs/gone.md, which is not there.',
      'site/navigation.ts lists docs/a.md more than once: keep one place.',
    ])
  })
})

describe('everything that can be imported', () => {
  test('has a sentence above it, of which the reference is made', () => {
    expect(undocumentedExports()).toEqual([])
  })
})

describe('all pages together', () => {
  const all = pages.map(({ text }) => text).join('\n')

  test('name everything that can be imported from the package', () => {
    expect(Object.keys(index).filter((name) => !all.includes(`\`${name}`))).toEqual([])
  })

  test.each([
    ['src/options.ts', 'InboxOptions'],
    ['src/alerts/alert-options.ts', 'AlertOptions'],
    ['src/alerts/alert-options.ts', 'AlertTarget'],
    ['src/alerts/rule-options.ts', 'AlertRules'],
    ['src/store/alert-store.ts', 'AlertFilter'],
    ['src/effects/handler.ts', 'HandlerOptions'],
    ['src/effects/handler.ts', 'HandlerContext'],
    ['src/effects/handler.ts', 'BatchContext'],
    ['src/effects/handler.ts', 'WebhookEvent'],
    ['src/effects/handler.ts', 'LatestOptions'],
    ['src/effects/handler.ts', 'OutboxOptions'],
    ['src/preview.ts', 'HandlerPreview'],
    ['src/prover/options.ts', 'ProveOptions'],
    ['src/prover/report.ts', 'ProverReport'],
    ['src/prover/report.ts', 'ScenarioResult'],
    ['src/testing/deliveries.ts', 'DeliveryOptions'],
    ['src/testing/test-delivery.ts', 'TestDelivery'],
    ['src/testing/test-answer.ts', 'TestAnswer'],
    ['src/simulator/options.ts', 'SimulateOptions'],
    ['src/simulator/options.ts', 'AttemptNote'],
    ['src/simulator/report.ts', 'SimulationReport'],
    ['src/simulator/report.ts', 'SimulationCounts'],
    ['src/simulator/report.ts', 'SimulatedEventReport'],
    ['src/simulator/report.ts', 'SimulatedAttempt'],
    ['src/simulator/retry-plan.ts', 'RetryPlan'],
    ['src/verify/sending-rules.ts', 'SendingRules'],
    ['src/store/outbox-store.ts', 'MessageFilter'],
    ['src/store/postgres/clients/library-store.ts', 'LibraryStoreOptions'],
    ['src/targets/target.ts', 'Target'],
    ['src/targets/check-options.ts', 'DeliveryOptions'],
    ['src/targets/bullmq.ts', 'BullmqOptions'],
    ['src/targets/handler.ts', 'HandlerOptions'],
    ['src/targets/handler.ts', 'HandledDelivery'],
    ['src/targets/http.ts', 'HttpOptions'],
    ['src/targets/http-post.ts', 'PostOptions'],
    ['src/forward/forward.ts', 'ForwardOptions'],
    ['src/forward/rest.ts', 'CircuitOptions'],
    ['src/gateway/config.ts', 'GatewayConfig'],
    ['src/gateway/config.ts', 'ServerConfig'],
    ['src/capture/options.ts', 'CaptureOptions'],
    ['src/capture/rule.ts', 'RuleConditions'],
    ['src/capture/rule.ts', 'RuleAnswer'],
    ['src/capture/options.ts', 'ReplayOptions'],
    ['src/capture/replay.ts', 'ReplayRequest'],
    ['src/capture/cases/case-file.ts', 'CaseFile'],
    ['src/capture/cases/case-file.ts', 'CaseExpectation'],
    ['src/targets/kafka.ts', 'KafkaOptions'],
    ['src/targets/nats.ts', 'NatsOptions'],
    ['src/targets/redis-stream.ts', 'RedisStreamOptions'],
    ['src/verify/event-history.ts', 'EventHistory'],
    ['src/verify/event-history.ts', 'HistoryQuestion'],
    ['src/verify/event-history.ts', 'HistoricEvent'],
    ['src/history/api.ts', 'RequestOptions'],
    ['src/history/stripe.ts', 'StripeHistoryOptions'],
    ['src/history/github.ts', 'GithubHistoryOptions'],
    ['src/history/shopify.ts', 'ShopifyOrdersOptions'],
    ['src/history/objects.ts', 'ObjectHistoryOptions'],
    ['src/history/objects.ts', 'ChangedObject'],
    ['src/recovery/history-range.ts', 'HistoryOptions'],
    ['src/recovery/automatic-backfill.ts', 'AutomaticBackfillOptions'],
    ['src/recovery/backfill.ts', 'BackfillSettings'],
    ['src/recovery/backfill.ts', 'BackfillReport'],
    ['src/recovery/find-gaps.ts', 'GapOptions'],
    ['src/recovery/find-gaps.ts', 'GapReport'],
    ['src/recovery/import-table.ts', 'ImportOptions'],
    ['src/recovery/import-table.ts', 'ImportColumns'],
    ['src/recovery/import-table.ts', 'ImportReport'],
    ['src/verify/provider-options.ts', 'ProviderOptions'],
    ['src/store/postgres/postgres-store.ts', 'PostgresStoreOptions'],
    ['src/receipt/backoff.ts', 'RetryOptions'],
    ['src/redis/redis-cache.ts', 'RedisCacheOptions'],
    ['src/redis/redis-cache.ts', 'RedisCacheCounts'],
    ['src/redis/guard.ts', 'GuardOptions'],
    ['src/redis/guard-types.ts', 'GuardContext'],
    ['src/redis/guard-types.ts', 'GuardRunOptions'],
    ['src/worker.ts', 'WorkerOptions'],
    ['src/retention/retention-options.ts', 'RetentionOptions'],
    ['src/retention/off-peak.ts', 'OffPeakWindow'],
    ['src/retention-view.ts', 'PruneOptions'],
    ['src/retention-view.ts', 'PruneReport'],
    ['src/receipt/receipt.ts', 'ReceiptFilter'],
    ['src/store/retention-store.ts', 'LedgerDay'],
  ])('name every member of what %s calls %s', (path, type) => {
    const members = membersOf(readFileSync(join(root, path), 'utf8'), type)

    expect(members).not.toEqual([])
    expect(members.filter((name) => !new RegExp(`\`${name}\\b`).test(all))).toEqual([])
  })
})

describe('ARCHITECTURE.md', () => {
  test('names only files and folders that exist', () => {
    const { text } = readPage('ARCHITECTURE.md')

    const named = [...text.matchAll(/`((?:src|test|scripts|docs)\/[\w./-]*)`/g)].map(([, path = '']) => path)

    expect(named.length).toBeGreaterThan(20)
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})

describe('docs/errors.md', () => {
  test('has a row for every code, and no other', () => {
    const codes = readFileSync(join(root, 'src/errors.ts'), 'utf8').match(/^ {2}\| 'ONCEHOOK_\w+'/gm) ?? []

    const rows = readPage('docs/errors.md').text.match(/^\| `ONCEHOOK_\w+`/gm) ?? []

    expect(rows.map(wordIn).toSorted()).toEqual(codes.map(wordIn).toSorted())
  })

  test('says of every code what it means, its cause and its cure', () => {
    const rows = readPage('docs/errors.md').text.match(/^\| `ONCEHOOK_.*$/gm) ?? []

    expect(rows.filter((row) => !/^\| `\w+` \| [^|]+ \| [^|]+ \| [^|]+ \|$/.test(row))).toEqual([])
  })
})

describe('docs/schema.md', () => {
  test('names every table and column, and no other', () => {
    const tables = tablesOfMigrations()

    const described = [
      ...readPage('docs/schema.md').text.matchAll(/^### `(\w+)`\n([\s\S]*?)(?=^##|$(?![\s\S]))/gm),
    ].map(([, name = '', rest = '']) => [name, [...rest.matchAll(/^\| `(\w+)`/gm)].map(([, column = '']) => column)])

    expect(Object.fromEntries(described)).toEqual(tables)
  })
})

describe('docs/sources.md', () => {
  test('has a row for every provider without a page of its own, and no other', () => {
    const pagesOfProviders = readdirSync(join(root, 'docs/providers'))
    const providers = readdirSync(join(root, 'src/providers'))
      .map((file) => file.replace(/\.ts$/, ''))
      .filter((name) => !pagesOfProviders.includes(`${name}.md`))

    const rows = [...readPage('docs/sources.md').text.matchAll(/^\| `providers\/([\w-]+)`/gm)].map(
      ([, name = '']) => name,
    )

    expect(rows.toSorted()).toEqual(providers.toSorted())
  })
})

describe('docs/testing.md', () => {
  const { text } = readPage('docs/testing.md')

  test('names everything that the test kit gives', () => {
    expect(Object.keys(testKit).filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([])
    expect(Object.keys(testKit.oncehookMatchers).filter((name) => !text.includes(`\`${name}(`))).toEqual([])
  })

  test('says where the fields of every provider go', () => {
    const rows = [...text.matchAll(/^\| `([\w.-]+)`(?:, `….statuses.0`)? \| ((?:`\w+`(?:, )?)+) \|$/gm)]
    const named = rows.flatMap(([, place = '', names = '']) =>
      [...names.matchAll(/\w+/g)].map(([name]) => [name, place] as const),
    )

    const places = (Object.keys(providerList) as (keyof typeof providerList)[]).flatMap((name) => {
      const place = placeOf(name, name === 'whatsapp' ? 'messages' : undefined)
      return place === undefined ? [] : [[name, place] as const]
    })
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(places))
  })
})

describe('docs/outbox.md', () => {
  test('has a row for every target, and no other', () => {
    const rows = [...readPage('docs/outbox.md').text.matchAll(/^\| `targets\/([\w-]+)`/gm)].map(([, name = '']) => name)

    expect(rows.toSorted()).toEqual(exportsUnder('./targets/').toSorted())
  })
})

describe('docs/transactions.md', () => {
  test('has a row for every store, and no other', () => {
    const rows = [...readPage('docs/transactions.md').text.matchAll(/^\|[^|]*\| `oncehook\/([\w-]+)`/gm)]

    expect(rows.map(([, name = '']) => name).toSorted()).toEqual(
      Object.entries(exportsOfPackage)
        .filter(([, target]) => target.endsWith('-store.js'))
        .map(([name]) => name.slice('./'.length))
        .toSorted(),
    )
  })
})

describe('docs/cli.md', () => {
  const page = readPage('docs/cli.md')

  test('has a chapter for every command that the help names, and no other', () => {
    const main = join(root, 'src/cli/main.ts')
    const help = execFileSync(process.execPath, ['--import', 'tsx', main, '--help'], { cwd: root, encoding: 'utf8' })
    const named = [...help.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name = '']) => name)

    const chapters = [...page.text.matchAll(/^## `oncehook (\w+)`/gm)].map(([, name = '']) => name)

    expect(chapters.toSorted()).toEqual(named.toSorted())
    expect(commands.map(({ name }) => name).toSorted()).toEqual(named.toSorted())
  })

  test.each(commands)('names every option of $name, and no other', ({ name, options }) => {
    const chapter = page.text.split(/^## /m).find((text) => text.startsWith(`\`oncehook ${name}\``)) ?? ''

    const rows = [...chapter.matchAll(/^\| `--([\w-]+)/gm)].map(([, option = '']) => option)

    // What every command has is described once.
    expect([...rows, 'json'].toSorted()).toEqual(Object.keys(options).toSorted())
  })
})

function exportsUnder(beginning: string): readonly string[] {
  return Object.keys(exportsOfPackage).flatMap((name) =>
    name.startsWith(beginning) ? [name.slice(beginning.length)] : [],
  )
}

function isThere(from: string, target: string): boolean {
  if (/^[a-z]+:/.test(target)) return true
  const [path = '', anchor] = target.split('#', 2)
  const file = path === '' ? from : normalize(join(dirname(from), path))
  if (!existsSync(join(root, file))) return false
  return anchor === undefined || anchorsOf(readPage(file)).includes(anchor)
}

/** The names at the first level of a type that is written down member by member. */
function membersOf(source: string, type: string): readonly string[] {
  const [, body = ''] = new RegExp(`^export type ${type}\\b[^\\n]*\\{\\n([\\s\\S]*?)^\\}`, 'm').exec(source) ?? []
  return [...body.matchAll(/^ {2}readonly (\w+)/gm)].map(([, name = '']) => name)
}

function wordIn(text: string): string {
  return /ONCEHOOK_\w+/.exec(text)?.[0] ?? ''
}

/** Tables and their columns, read from the SQL itself. */
function tablesOfMigrations(): Readonly<Record<string, readonly string[]>> {
  const folder = join(root, 'src/store/postgres')
  const files = readdirSync(join(folder, 'migrations')).map((name) => join(folder, 'migrations', name))
  const sql = [...files, join(folder, 'migrate.ts')].map((file) => readFileSync(file, 'utf8')).join('\n')
  const tables = [...sql.matchAll(/create table (?:if not exists )?\$\{schema\}\.(\w+) \(\n([\s\S]*?)\n\)/g)]
  const added = [...sql.matchAll(/alter table \$\{schema\}\.(\w+) add column (\w+)/g)]
  return Object.fromEntries(
    tables.map(([, name = '', columns = '']) => [
      name,
      [
        ...[...columns.matchAll(/^ {2}"?(\w+)"? (?!key)/gm)].map(([, column = '']) => column).filter(isColumn),
        ...added.flatMap(([, table, column = '']) => (table === name ? [column] : [])),
      ],
    ]),
  )
}

function isColumn(name: string): boolean {
  return !['constraint', 'primary', 'unique', 'check'].includes(name)
}
