import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, inject, test } from 'vitest'
import { compiledFolder } from '../support/compiled.ts'
import { onceInRun } from '../support/once-in-run.ts'
import { type Stack, stacks, writeStack } from './init-stacks.ts'
import { runCommand } from './run-command.ts'
import { environmentIn } from './workbench.ts'

/*
 * `oncehook init` in fresh projects, whose packages are found among those of this repository. `npm run test:examples -- --only init` does it
 * with packages from the registry.
 */
const root = resolve(import.meta.dirname, '../..')
/** Next.js and NestJS are not here; what is written for them is compared. All are run by test:examples. */
const light = stacks.filter(({ name }) => ['express-pg', 'fastify-prisma', 'hono-kysely', 'node-pglite'].includes(name))

type Report = {
  readonly found: object
  readonly files: readonly { readonly path: string; readonly kind: string; readonly text: string }[]
  readonly install: readonly (readonly string[])[]
  readonly wiring?: { readonly file?: string; readonly lines: readonly string[] }
  readonly testCommand: readonly string[]
  readonly isWritten: boolean
}

async function newProject(stack: Stack): Promise<string> {
  const compiled = await compiledFolder()
  const folder = join(inject('runFolder'), `init-${stack.name}-${Math.random().toString(36).slice(2)}`)
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(compiled, join(folder, 'node_modules/oncehook'), 'dir')
  writeStack(stack, folder)
  if (stack.name === 'fastify-prisma') {
    cpSync(join(root, 'test/clients/prisma-client'), join(folder, 'generated/prisma'), { recursive: true })
  }
  return folder
}

async function init(folder: string, ...words: readonly string[]) {
  return runCommand([process.execPath, 'node_modules/oncehook/dist/cli/main.js', 'init', ...words], { folder })
}

async function initReport(folder: string, ...words: readonly string[]): Promise<Report> {
  const { output } = await init(folder, '--json', ...words)
  return JSON.parse(output) as Report
}

const stackNamed = (name: string): Stack => {
  const found = stacks.find((stack) => stack.name === name)
  if (found === undefined) throw new Error(`There is no stack ${name}.`)
  return found
}

describe.concurrent('init in a fresh project', () => {
  test.for(light)('of $name yields one whose own test passes', { timeout: 300_000 }, async (stack, { expect }) => {
    const folder = await newProject(stack)

    // Vitest takes no tests from below node_modules, where these folders are.
    const report = await initReport(folder, '--yes', '--test', 'node', ...(stack.words ?? []))
    const environment = await environmentIn(inject('databaseUrl'), folder)
    const tested = await runCommand(report.testCommand, { folder, environment, limitSeconds: 200 })

    expect(report.found).toMatchObject({ ...stack.found, testRunner: 'node' })
    expect(report.isWritten).toBe(true)
    expect(tested.code, tested.output).toBe(0)
    expect(tested.output).toMatch(/^# pass 2$/m)
  })

  test('sees what Next.js and NestJS need, and says what it cannot write', async ({ expect }) => {
    const [next, nest] = [stackNamed('next-drizzle'), stackNamed('nest-typeorm')]

    const reports = await Promise.all(
      [next, nest].map(async (stack) => initReport(await newProject(stack), '--dry-run', ...(stack.words ?? []))),
    )

    expect(reports.map(({ found }) => found)).toMatchObject([next.found, nest.found])
    expect(reports.map(({ files }) => files.map(({ path }) => path))).toEqual([
      [
        'lib/webhooks/inbox.ts',
        'lib/webhooks/handlers.ts',
        'app/webhooks/[source]/route.ts',
        'instrumentation.ts',
        'migrations/webhooks.sql',
        'test/webhooks.test.ts',
        '.env.example',
      ],
      [
        'src/webhooks/inbox.ts',
        'src/webhooks/handlers.ts',
        'src/webhooks/route.ts',
        'migrations/webhooks.sql',
        'test/webhooks.test.ts',
        '.env.example',
      ],
    ])
    expect(reports[1]?.wiring?.file).toBe('src/main.ts')
    expect(reports.map(({ isWritten }) => isWritten)).toEqual([false, false])
  })
})

describe.concurrent('init', () => {
  test('shows what it would write, and writes nothing unless it may', async ({ expect }) => {
    const folder = await newProject(stackNamed('express-pg'))

    const tried = await init(folder, '--dry-run')
    const piped = await init(folder)

    expect(tried.code).toBe(0)
    expect(tried.output).toContain('+++ src/webhooks/inbox.ts\n+import { createInbox }')
    expect(tried.output).toContain('Nothing was written.')
    expect(piped.code).toBe(1)
    expect(piped.output).toContain('Give --yes to write')
    expect(existsSync(join(folder, 'src'))).toBe(false)
  })

  test('finds everything there the second time, and leaves what somebody has changed', async ({ expect }) => {
    const folder = await newProject(stackNamed('express-pg'))
    writeFileSync(join(folder, '.env.example'), 'DATABASE_URL=postgres://mine')
    mkdirSync(join(folder, 'migrations'))
    writeFileSync(join(folder, 'migrations/webhooks.sql'), '-- mine')

    const first = await init(folder, '--yes')
    const second = await init(folder, '--yes')

    expect(first.output).toContain('left alone: migrations/webhooks.sql')
    expect(readFileSync(join(folder, 'migrations/webhooks.sql'), 'utf8')).toBe('-- mine')
    expect(readFileSync(join(folder, '.env.example'), 'utf8')).toBe(
      'DATABASE_URL=postgres://mine\nSTRIPE_WEBHOOK_SECRET=\n',
    )
    expect(second.code).toBe(0)
    expect(second.output).toContain('Everything is there already.')
  })

  test('writes the SQL of its own tables for those who run migrations themselves', async ({ expect }) => {
    const folder = await newProject(stackNamed('express-pg'))

    await init(folder, '--yes', '--sql')

    expect(readFileSync(join(folder, 'migrations/oncehook.sql'), 'utf8')).toContain('receipts')
    expect(readFileSync(join(folder, 'src/webhooks/inbox.ts'), 'utf8')).toContain("migrations: 'manual'")
  })

  test.for([
    [['--framework', 'rails'], '--framework is "rails"'],
    [['--orm', 'mongoose'], '--orm is "mongoose"'],
    [['--provider', 'strip'], 'There is no provider "strip"'],
    [['--yes', '--dry-run'], 'not both'],
    [['here'], 'init takes no "here"'],
  ] as const)('%j ends with 2 and one sentence', async ([words, sentence], { expect }) => {
    const folder = await newProject(stackNamed('node-pglite'))

    const { code, output } = await init(folder, ...words)

    expect(code).toBe(2)
    expect(output).toContain(sentence)
  })

  test('needs a package.json that can be read', async ({ expect }) => {
    const folder = await newProject(stackNamed('node-pglite'))
    writeFileSync(join(folder, 'package.json'), '{')

    const { code, output } = await init(folder)

    expect(code).toBe(1)
    expect(output).toContain('The package.json here cannot be read')
  })

  test('writes code that fits the types of this version, for every library', async ({ expect }) => {
    const folder = await onceInRun('typed-init', async (folder) => {
      const types = join(folder, 'node_modules/oncehook')
      mkdirSync(types, { recursive: true })
      cpSync(join(root, 'package.json'), join(types, 'package.json'))
      symlinkSync(join(root, 'src'), join(types, 'dist'), 'dir')
      const names = [
        'pg',
        'postgres-js',
        'drizzle',
        'drizzle-postgres-js',
        'kysely',
        'knex',
        'typeorm',
        'prisma',
        'pglite',
      ]
      const frameworks = ['express', 'fastify', 'hono', 'koa', 'h3', 'none', 'nest', 'express', 'none']
      const program = join(await compiledFolder(), 'dist/cli/main.js')
      await Promise.all(
        names.map(async (name, index) => {
          const project = join(folder, name)
          writeStack({ ...stackNamed('express-pg'), files: {} }, project)
          const words = ['init', '--yes', '--orm', name, '--framework', frameworks[index] ?? 'none']
          const { code, output } = await runCommand([process.execPath, program, ...words], { folder: project })
          if (code !== 0) throw new Error(output)
        }),
      )
      cpSync(join(root, 'test/clients/prisma-client'), join(folder, 'prisma/generated/prisma'), { recursive: true })
      const config = {
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
        include: names.map((name) => `${name}/**/*.ts`),
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    })

    const { output } = await runCommand(
      [process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', folder],
      { folder: root },
    )

    expect(output).toBe('')
  })
})
