import type { NewFile } from './framework-template.ts'
import type { TestRunner } from './project.ts'
import { lines } from './style.ts'
import { type Choice, sorted } from './webhook-files.ts'

const runners: Readonly<
  Record<TestRunner, { readonly module: string; readonly before: string; readonly after: string }>
> = {
  vitest: { module: 'vitest', before: 'beforeAll', after: 'afterAll' },
  jest: { module: '@jest/globals', before: 'beforeAll', after: 'afterAll' },
  node: { module: 'node:test', before: 'before', after: 'after' },
}

/** The test with copies at the same moment, on a store that is thrown away. */
export function testFile(choice: Choice, options: { readonly runner: TestRunner; readonly folder: string }): NewFile {
  const { place, provider, store } = choice
  const { style } = place
  const { runner, folder } = options
  const { module, before, after } = runners[runner]
  const opened = store.test?.({ ...place, toRoot: '../' })
  const needsServer = opened !== undefined && opened.isInMemory !== true
  const usesTables = opened?.store.includes('<Tables>') === true
  const body = [...copiesTest(choice), '', ...forgeryTest(choice)]
  const kit = ['concurrently', 'deliveries', 'expectProcessedOnce', 'expectRows', 'testInbox'].filter(
    (name) => name === 'testInbox' || body.some((line) => line.includes(name)),
  )
  const text = lines(
    ...sorted([
      `import { readFileSync } from 'node:fs'`,
      `import { ${[after, before, 'beforeEach', 'test'].join(', ')} } from '${module}'`,
      `import { ${provider.create} } from 'oncehook/providers/${provider.name}'`,
      `import { ${kit.join(', ')} } from 'oncehook/testing'`,
      ...(opened?.imports ?? []),
      `import { registerHandlers${usesTables ? ', type Tables' : ''} } from '${style.from(`../${place.folder}/handlers`)}'`,
    ]),
    '',
    ...openingLines(choice, needsServer),
    '',
    `${before}(async () => {`,
    '  inbox = await open()',
    `  await inbox.query(readFileSync('migrations/webhooks.sql', 'utf8'))`,
    '})',
    'beforeEach(() => inbox.reset())',
    `${after}(async () => {`,
    '  await inbox.close()',
    opened?.close !== undefined && `  ${opened.close}`,
    '})',
    '',
    ...body,
  )
  return { path: `${folder}/webhooks.test.${style.extension}`, text }
}

function openingLines({ place, provider, store }: Choice, needsServer: boolean): readonly string[] {
  const { style } = place
  const opened = store.test?.({ ...place, toRoot: '../' })
  const url = needsServer
    ? [
        'const url = process.env.DATABASE_URL',
        `if (url === undefined) throw new Error('Set DATABASE_URL to a PostgreSQL: each run has a schema of its own there.')`,
        ...(opened?.variable === undefined ? [] : [opened.variable]),
        '',
      ]
    : []
  const given = [
    `sources: { ${provider.create === provider.name ? provider.create : `'${provider.name}': ${provider.create}`} }`,
    'handlers: registerHandlers',
    ...(needsServer
      ? ['url']
      : opened === undefined
        ? ['url: process.env.DATABASE_URL, // in memory if it is not set']
        : []),
  ]
  return [
    ...url,
    'const open = () =>',
    '  testInbox({',
    ...given.map((line) => `    ${line.includes('//') ? line : `${line},`}`),
    ...(opened === undefined ? [] : storeLines(opened)),
    '  })',
    `let inbox${style.typed(': Awaited<ReturnType<typeof open>>')}`,
  ]
}

function storeLines(opened: NonNullable<ReturnType<NonNullable<Choice['store']['test']>>>): readonly string[] {
  const { parameters, open, store } = opened
  if (open === undefined) return [`    store: (${parameters}) => ${store},`]
  return [`    store: async (${parameters}) => {`, `      ${open}`, `      return ${store}`, '    },']
}

function copiesTest({ provider: { create, type, events, hasStableIds } }: Choice): readonly string[] {
  const made = [`  const event = deliveries.${create}('${type}')`, '']
  const counted = [`  await expectRows(inbox, 'webhook_effects', ${events})`, '})']
  if (!hasStableIds) {
    return [
      '// This provider sends nothing that tells a copy from a new event, so no test can send one: see its page.',
      `test('an event takes effect', async () => {`,
      ...made,
      '  await inbox.deliver(event)',
      '',
      ...counted,
    ]
  }
  return [
    `test('an event takes effect once, though twenty copies come at the same moment', async () => {`,
    ...made,
    '  await concurrently(20, () => inbox.deliver(event.again()))',
    '',
    '  await expectProcessedOnce(inbox, event)',
    ...counted,
  ]
}

function forgeryTest({ provider: { create, type } }: Choice): readonly string[] {
  return [
    `test('a forgery takes no effect', async () => {`,
    `  await inbox.deliver(deliveries.${create}('${type}').tampered())`,
    '',
    `  await expectRows(inbox, 'webhook_effects', 0)`,
    '})',
  ]
}
