import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { importsOf, literalsOf } from './architecture/source-scanner.ts'

/**
 * A delivery's way, from the door to its effect. Each of these files imports only what stands further down.
 * Both the door and the worker's loop end in `process`, so it stands below them.
 */
const story = [
  'index',
  'inbox',
  'open-door',
  'ledger-view',
  'alert-view',
  'automation-view',
  'datastore-view',
  'admin-view',
  'describe-sources',
  'diagnose-delivery',
  'retry-patterns',
  'retention-view',
  'meters',
  'assemble',
  'assemble-recovery',
  'traced-receive',
  'loops',
  'options',
  'observe-delivery',
  'receive',
  'redact-delivery',
  'accept',
  'preview',
  'worker',
  'process',
  'relay',
  'upkeep',
  'pump',
]

/** What everybody may stand on. */
const ground = ['errors', 'events', 'clock', 'abort', 'check-options', 'tracing']

/** What the story knows of stores. */
const storeSeams = [
  'store',
  'durability-report',
  'health',
  'inspection',
  'outbox-store',
  'upkeep-store',
  'retention-store',
  'recovery-store',
  'shadow-store',
  'sealed-store',
  'alert-store',
  'meter-store',
  'effect-transaction',
  'datastore-store',
  'overview-store',
  'admin-log-store',
  'admin-session-store',
  'capture-store',
  'automation-store',
].map((file) => `store/${file}`)

/**
 * Who may import whom: a file or folder of `src`, what it may use, and what it may know besides, as a type only.
 * Files of one folder may always import each other, except providers.
 */
const rules: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(story.map((file) => [file, storyRule(file)])),
  errors: { uses: [] },
  clock: { uses: [] },
  'check-options': { uses: ['errors'] },
  abort: { uses: [] },
  tracing: { uses: [] },
  events: { uses: [], knows: ['delivery', 'verify', 'receipt'] },

  privacy: { uses: ['errors', 'abort'], knows: ['receipt', ...storeSeams, 'clock'] },
  delivery: { uses: ['errors'], knows: ['verify', 'clock'] },
  payloads: { uses: [] },
  verify: { uses: ['delivery', 'privacy', 'errors'], knows: ['clock', 'payloads'] },
  providers: { uses: ['verify', 'delivery'], knows: ['payloads'], isEachAlone: true },
  current: { uses: [], knows: ['verify'], isEachAlone: true },
  receipt: { uses: ['errors', 'clock'], knows: ['delivery', 'verify', 'privacy', 'store/store', 'events'] },
  datastore: { uses: ['errors'], knows: ['upkeep', ...storeSeams] },
  effects: {
    uses: ['datastore', 'receipt', 'verify', 'delivery', 'privacy', 'errors', 'abort', 'clock'],
    knows: [...storeSeams, 'events', 'tracing'],
  },

  automation: {
    uses: ['effects', 'datastore', 'targets', 'verify', 'delivery', 'errors'],
    knows: ['upkeep', ...storeSeams, 'events'],
  },
  alerts: { uses: ['errors'], knows: ['upkeep', ...storeSeams, 'verify', 'clock', 'events'] },
  retention: { uses: ['errors'], knows: ['upkeep', ...storeSeams, 'verify', 'receipt', 'clock', 'events'] },
  history: { uses: ['verify', 'errors', 'clock', 'abort'], knows: ['delivery'] },
  recovery: {
    uses: ['effects', 'receipt', 'verify', 'delivery', 'errors', 'abort'],
    knows: ['upkeep', ...storeSeams, 'clock', 'events'],
  },

  capture: {
    uses: ['targets/http-address', 'delivery', 'verify', 'privacy', 'errors', 'events', 'clock'],
    knows: [...storeSeams, 'inbox', 'receipt'],
  },

  shadow: { uses: ['effects', 'receipt', 'delivery', 'errors'], knows: [...storeSeams, 'verify', 'clock'] },

  store: { uses: ['errors'], knows: ['receipt', 'verify', 'delivery', 'privacy', 'targets/target'] },
  'store/postgres': {
    uses: [...storeSeams, 'receipt', 'privacy', 'errors', 'abort', 'clock'],
    knows: ['verify', 'delivery', 'events'],
  },
  'store/pglite': {
    uses: ['store/postgres', 'store/store', 'store/durability-report', 'errors', 'clock'],
    knows: ['receipt'],
  },

  targets: { uses: ['verify', 'errors', 'clock', 'abort', 'check-options', 'redis/client'] },
  forward: {
    uses: ['targets', 'effects/detached-handler', 'effects/slots', 'errors', 'clock', 'check-options'],
    knows: ['effects'],
  },
  redis: { uses: ['errors', 'clock', 'check-options'], knows: ['receipt'] },
  adapters: { uses: ['delivery', 'errors'], knows: ['index', 'inbox', 'verify', 'clock', 'shadow', 'capture/door'] },
  observe: { uses: ['events'], knows: ['receipt', 'tracing'] },

  // As a user would: what package.json exports (types from there too), and the adapters. All errors are built in one file.
  testing: { uses: ['public', 'adapters', 'errors'] },
  prover: { uses: ['public', 'adapters', 'testing', 'errors'] },
  simulator: { uses: ['public', 'testing', 'prover', 'errors', 'clock'] },
  audit: { uses: ['errors', 'prover/causes'] },
  admin: { uses: ['public', 'adapters', 'capture', 'delivery', 'verify/json', 'errors', 'clock'] },
  mcp: { uses: ['admin', 'errors'] },
  gateway: { uses: ['public', 'adapters', 'capture', 'errors'] },
  cli: {
    uses: [
      'public',
      'adapters',
      'testing',
      'prover',
      'simulator',
      'audit',
      'gateway',
      'capture',
      'admin',
      'mcp',
      'errors',
    ],
  },
}

/** Packages a folder may load, and only by `import()` when they are needed: they are optional. `node:` is free to all. */
const packages: Readonly<Record<string, readonly string[]>> = {
  store: ['pg', '@electric-sql/pglite'],
  // For probes in SQL.
  prover: ['pg'],
  // For a throw-away schema, and to teach each runner our matchers.
  testing: ['pg', 'vitest', '@jest/globals'],
  // Code is read with it. The build brings it along.
  audit: ['@babel/parser', '@babel/types'],
  // Types, which cost nothing when the program runs.
  payloads: ['stripe', '@octokit/webhooks'],
}

/** What the browser app is made of, and what builds and tests it. */
const packagesOfDashboard = ['preact', 'preact/hooks', 'uplot', 'vite', 'vitest']

/** The user's own configuration is where the user says. */
const computedImports = ['gateway/load-config.ts']

/** The demo and the examples of pages and of help play a user, whose handlers have SQL for tables of their own. */
const placesWithSql = [
  'store/postgres',
  'store/pglite',
  'cli/demo-effects',
  'cli/provider-page',
  'cli/init',
  'cli/commands/prove',
  'prover/probes/sql-asker',
  'testing/database/throw-away-database',
]

const longestFile = 300

type Rule = { readonly uses: readonly string[]; readonly knows?: readonly string[]; readonly isEachAlone?: true }

function storyRule(file: string): Rule {
  const furtherDown = [...story.slice(story.indexOf(file) + 1), ...ground]
  const details = ['delivery', 'verify', 'privacy', 'receipt', 'effects', 'datastore']
  // Those that join the parts. `fetch` belongs to the platform, not to a framework.
  const joined = ['index', 'inbox', 'retention-view', 'assemble', 'assemble-recovery'].includes(file)
    ? ['observe', 'adapters/fetch', 'adapters/shadow-fetch', 'retention', 'recovery', 'shadow']
    : []
  // Names and limits of rules, which are checked and shown.
  const alerts = ['index', 'alert-view', 'assemble', 'options'].includes(file) ? ['alerts'] : []
  const checked = file === 'options' ? ['retention/retention-options', 'automation/automation-options'] : []
  const automated = ['index', 'inbox', 'automation-view', 'assemble'].includes(file) ? ['automation'] : []
  return {
    uses: [...furtherDown, ...details, ...joined, ...alerts, ...checked, ...automated],
    knows: [...storeSeams, 'targets/target', 'payloads', 'recovery/automatic-backfill'],
  }
}

/** A file of `src`; its path is relative to that folder. */
type Source = { readonly path: string; readonly text: string }

const everything = readSources()
const sources = everything.filter(({ path }) => !path.endsWith('.test.ts'))

describe('the source', () => {
  test('imports only what stands further down', () => {
    expect(importMistakes(sources)).toEqual([])
  })

  test('has no circle of imports, not even of types', () => {
    expect(circles(sources)).toEqual([])
  })

  test('loads other packages only when they are needed, and only where the table says so', () => {
    expect(packageMistakes(sources)).toEqual([])
  })

  test('has SQL only where the table says so', () => {
    expect(sqlMistakes(sources)).toEqual([])
  })

  test(`has no file of more than ${longestFile} lines`, () => {
    expect(longFiles(everything)).toEqual([])
  })

  test('leaves nothing to be done', () => {
    expect(unfinished(everything)).toEqual([])
  })
})

describe('the dashboard', () => {
  const dashboard = readSources('../dashboard/')

  test('speaks HTTP only: it imports nothing from outside its folder', () => {
    const outside = dashboard.flatMap(({ path, text }) =>
      importsOf(text).flatMap(({ specifier = 'something computed' }) => {
        const target = specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : specifier
        const isAllowed = specifier.startsWith('.') ? !target.startsWith('..') : packagesOfDashboard.includes(specifier)
        return isAllowed ? [] : [`${path} imports ${target}`]
      }),
    )

    expect(dashboard.length).toBeGreaterThan(50)
    expect(outside).toEqual([])
  })

  test('hands no text of anybody to the browser as a document, and leads nowhere else', () => {
    const dangerous =
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|\beval\(|new Function|https?:\/\/(?!staging\.example\.com)/
    const found = dashboard.filter(
      ({ path, text }) => !/\.test\.|vite\.config|pasted-request/.test(path) && dangerous.test(text),
    )

    expect(found.map(({ path }) => path)).toEqual([])
  })

  test('has short files, without circles or things to be done', () => {
    expect(longFiles(dashboard)).toEqual([])
    expect(circles(dashboard)).toEqual([])
    expect(unfinished(dashboard)).toEqual([])
  })
})

describe('the guard', () => {
  test('looks at every file', () => {
    expect(sources.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['errors.ts', 'delivery/delivery.ts', 'store/store.ts']),
    )
  })

  const forbidden: readonly (readonly [string, string, string])[] = [
    ['a story file that imports one further up', 'relay.ts', `import { work } from './worker.ts'`],
    ['a story file that knows one further up', 'relay.ts', `import type { Worker } from './worker.ts'`],
    ['a story file that uses the store', 'worker.ts', `import { claim } from './store/store.ts'`],
    ['a type among values of the store', 'worker.ts', `import { type Store } from './store/store.ts'`],
    ['a story file that names a database', 'inbox.ts', `import type { P } from './store/postgres/postgres-store.ts'`],
    ['a story file that names a provider', 'index.ts', `export { stripe } from './providers/stripe.ts'`],
    ['a story file that names a framework', 'inbox.ts', `import { node } from './adapters/node-http.ts'`],
    ['a listener in the middle of the story', 'process-claim.ts', `import { log } from './observe/log.ts'`],
    ['verify that knows the receipt', 'verify/hmac.ts', `import type { Receipt } from '../receipt/receipt.ts'`],
    ['delivery that uses verify', 'delivery/outcome.ts', `import { answer } from '../verify/provider.ts'`],
    ['a provider that imports another', 'providers/stripe.ts', `import { github } from './github.ts'`],
    ['a provider that makes errors of its own', 'providers/stripe.ts', `import { permanent } from '../errors.ts'`],
    ['the seam of the store that knows a store', 'store/store.ts', `import type { S } from './postgres/sql-client.ts'`],
    [
      'a receipt that knows a database',
      'receipt/receipt.ts',
      `import type { S } from '../store/postgres/sql-client.ts'`,
    ],
    ['PostgreSQL that knows PGlite', 'store/postgres/postgres-store.ts', `import { l } from '../pglite/lock-file.ts'`],
    ['a listener that knows more than events', 'observe/log.ts', `import { errors } from '../errors.ts'`],
    ['a command that goes past the public entry points', 'cli/main.ts', `import { work } from '../worker.ts'`],
    ['errors that know anything', 'errors.ts', `import type { Receipt } from './receipt/receipt.ts'`],
    ['a dynamic import', 'receive.ts', `await import('./store/postgres/postgres-store.ts')`],
    ['a computed import', 'cli/main.ts', `await import(name)`],
    ['a path that leaves the source', 'inbox.ts', `import { fake } from '../test/support/fake.ts'`],
    ['a test', 'inbox.ts', `import { fake } from './receive.test.ts'`],
    ['a folder without a rule', 'helpers/text.ts', 'export const text = 1'],
  ]

  test.each(forbidden)('finds %s', (_, path, text) => {
    expect(importMistakes([{ path, text }])).toHaveLength(1)
  })

  const allowed: readonly (readonly [string, string, string])[] = [
    ['a story file that imports one further down', 'inbox.ts', `import { receive } from './receive.ts'`],
    ['a loop that calls a part of process', 'worker.ts', `import { processClaim } from './process-claim.ts'`],
    ['a story file that knows the store as a type', 'worker.ts', `import type { Store } from './store/store.ts'`],
    ['files of one folder', 'verify/hmac.ts', `import { isSame } from './compare.ts'`],
    ['a provider that uses verify', 'providers/stripe.ts', `import { define } from '../verify/define-provider.ts'`],
    ['types of verify in delivery', 'delivery/outcome.ts', `import type { Answer } from '../verify/provider.ts'`],
    ['a command that uses a public entry point', 'cli/main.ts', `import { stripe } from '../providers/stripe.ts'`],
    ['a command that uses the index', 'cli/start.ts', `import { createInbox } from '../index.ts'`],
  ]

  test.each(allowed)('lets pass %s', (_, path, text) => {
    expect(importMistakes([{ path, text }])).toEqual([])
  })

  test('finds a circle, also one of types', () => {
    const circle = [
      { path: 'verify/a.ts', text: `import { b } from './b.ts'` },
      { path: 'verify/b.ts', text: `export * from './c.ts'` },
      { path: 'verify/c.ts', text: `import type { A } from './a.ts'` },
    ]

    expect(circles(circle)).toEqual(['verify/a.ts → verify/b.ts → verify/c.ts → verify/a.ts'])
  })

  test('finds packages out of place', () => {
    const text = `import { Pool } from 'pg'\nimport type { P } from 'pg'\nimport fs from 'fs'\nawait import('pg')\nimport 'node:fs'`

    expect(packageMistakes([{ path: 'store/postgres/clients/pg.ts', text }])).toEqual([
      'store/postgres/clients/pg.ts:1 loads pg (value)',
      'store/postgres/clients/pg.ts:2 loads pg (type)',
      'store/postgres/clients/pg.ts:3 loads fs (value)',
    ])
    expect(packageMistakes([{ path: 'cli/main.ts', text: `await import('pg')` }])).toHaveLength(1)
    expect(packageMistakes([{ path: 'store/pglite/a.ts', text: `import('@electric-sql/pglite/nodefs')` }])).toEqual([])
  })

  test.each([
    "query('insert into receipts values ($1)')",
    '`update ${schema}.receipts r\n  set status = 1`',
    "'delete ' + 'from receipts'",
    '`select id,\n status from ${table}`',
    "'CREATE TABLE receipts ()'",
  ])('finds SQL in %j', (text) => {
    expect(sqlMistakes([{ path: 'receipt/receipt.ts', text }])).toHaveLength(1)
    expect(sqlMistakes([{ path: 'store/postgres/receipts.ts', text }])).toEqual([])
  })

  test.each(["// select id from receipts\n'text'", "'Update the settings and set a secret.'", "'updated at set time'"])(
    'finds no SQL in %j',
    (text) => {
      expect(sqlMistakes([{ path: 'receipt/receipt.ts', text }])).toEqual([])
    },
  )

  test('finds long files and unfinished ones', () => {
    const mark = ['TO', 'DO'].join('')

    expect(longFiles([{ path: 'a.ts', text: 'a\n'.repeat(longestFile + 1) }])).toHaveLength(1)
    expect(longFiles([{ path: 'a.ts', text: 'a\n'.repeat(longestFile) }])).toEqual([])
    expect(unfinished([{ path: 'a.ts', text: `a\n// ${mark}: b\n` }])).toEqual(['a.ts:2'])
  })
})

function importMistakes(files: readonly Source[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const unit = unitOf(path)
    const rule = unit === undefined ? undefined : rules[unit]
    if (rule === undefined) return [`${path} stands in no rule: give it one at the top of this file`]
    return importsOf(text).flatMap(({ specifier, kind, line }) => {
      if (specifier === undefined && computedImports.includes(path)) return []
      if (specifier === undefined) return [`${path}:${line} imports something that only the run time knows`]
      if (!specifier.startsWith('.')) return []
      const target = normalize(join(dirname(path), specifier))
      if (isAllowed({ path, rule, target, isType: kind === 'type' })) return []
      const known = rule.knows === undefined ? '' : `, and know ${rule.knows.join(', ')} by \`import type\``
      return [`${path}:${line} imports ${target}; ${unit} may use ${rule.uses.join(', ') || 'nothing'}${known}`]
    })
  })
}

type Asked = { readonly path: string; readonly rule: Rule; readonly target: string; readonly isType: boolean }

function isAllowed({ path, rule, target, isType }: Asked): boolean {
  if (target.endsWith('.test.ts')) return false
  if (unitOf(target) === unitOf(path)) return rule.isEachAlone !== true
  const permitted = isType ? [...rule.uses, ...(rule.knows ?? [])] : rule.uses
  return permitted.some((name) => (name === 'public' ? isPublic(target) : covers(name, target)))
}

/** The most particular entry of the table that a file falls under. */
function unitOf(path: string): string | undefined {
  return Object.keys(rules)
    .filter((name) => covers(name, path))
    .toSorted((one, other) => other.length - one.length)[0]
}

/** Whether a file is the named one, in the named folder, or a part of the named story file: `process-claim.ts` of `process`. */
function covers(name: string, path: string): boolean {
  const isPart = story.includes(name) && path.startsWith(`${name}-`)
  return path === `${name}.ts` || path.startsWith(`${name}/`) || isPart
}

function isPublic(path: string): boolean {
  return publicPatterns().some((pattern) => pattern.test(path))
}

/** What package.json exports, as patterns of files in `src`. */
function publicPatterns(): readonly RegExp[] {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  const { exports } = JSON.parse(manifest) as { exports: Readonly<Record<string, string>> }
  return Object.values(exports)
    .filter((file) => file.startsWith('./dist/'))
    .map((file) => file.slice('./dist/'.length).replace(/\.js$/, '.ts').replaceAll('.', '[.]').replace('*', '[^/]+'))
    .map((pattern) => new RegExp(`^${pattern}$`))
}

function circles(files: readonly Source[]): readonly string[] {
  const targets = new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text).flatMap(({ specifier }) =>
        specifier?.startsWith('.') === true ? [normalize(join(dirname(path), specifier))] : [],
      ),
    ]),
  )
  const found: string[] = []
  const done = new Set<string>()
  const visit = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path)
    if (start !== -1) found.push([...way.slice(start), path].join(' → '))
    if (start !== -1 || done.has(path)) return
    for (const target of targets.get(path) ?? []) visit(target, [...way, path])
    done.add(path)
  }
  for (const { path } of files) visit(path, [])
  return found
}

function packageMistakes(files: readonly Source[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const permitted = Object.keys(packages).flatMap((folder) => (covers(folder, path) ? (packages[folder] ?? []) : []))
    return importsOf(text).flatMap(({ specifier, kind, line }) => {
      if (specifier === undefined || /^(?:\.|node:)/.test(specifier)) return []
      const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier
      return kind === 'dynamic' && permitted.includes(name) ? [] : [`${path}:${line} loads ${specifier} (${kind})`]
    })
  })
}

/** Key words all small or all capital: a sentence may well begin with "Update". */
const sql = [
  String.raw`insert\s+into\s`,
  String.raw`update\s+(?:only\s+)?\S+\s+(?:(?:as\s+)?(?!and\s)\w+\s+)?set\s`,
  String.raw`delete\s+from\s`,
  String.raw`select\s[\s\S]*?\sfrom\s`,
  String.raw`(?:create|alter|drop)\s+(?:table|schema|index|type|function)\s`,
].map(
  (pattern) => new RegExp(String.raw`\b(?:${pattern}|${pattern.replaceAll(/(?<!\\)[a-z]/g, (c) => c.toUpperCase())})`),
)

function sqlMistakes(files: readonly Source[]): readonly string[] {
  return files
    .filter(({ path }) => !placesWithSql.some((place) => covers(place, path)))
    .flatMap(({ path, text }) =>
      literalsOf(text).flatMap((literal) =>
        sql.some((pattern) => pattern.test(literal.text)) ? [`${path}:${literal.line} ${literal.text.trim()}`] : [],
      ),
    )
}

function longFiles(files: readonly Source[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1
    return lines > longestFile ? [`${path} has ${lines} lines`] : []
  })
}

function unfinished(files: readonly Source[]): readonly string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (/\b(?:TODO|FIXME|XXX)\b/.test(line) ? [`${path}:${index + 1}`] : [])),
  )
}

function readSources(place = '../src/'): readonly Source[] {
  const folder = new URL(place, import.meta.url)
  return readdirSync(fileURLToPath(folder), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(new URL(path, folder), 'utf8') }))
}
