import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { compiledFolder } from '../support/compiled.ts'
import { onceInRun } from '../support/once-in-run.ts'
import { copyExample } from './copy-example.ts'
import { examples } from './example-list.ts'
import { runCommand } from './run-command.ts'
import { environmentIn } from './workbench.ts'

/*
 * The examples whose packages are here already, run by their own scripts. `npm run test:examples` runs all of them, installed as a user would,
 * with every scenario of the prover.
 */
const root = resolve(import.meta.dirname, '../..')
const light = examples.filter(({ isLight }) => isLight)
const quickScenarios = 'single-delivery,copies-at-once,unsigned,hostile-input'
const generatedPrismaClient = join(root, 'test/clients/prisma-client')

/** Copies in the folder of the run, from where the packages of this repository are found, and the compiled Oncehook as one of them. */
const folderOfExamples = (): Promise<string> =>
  onceInRun('examples', async (folder) => {
    const compiled = await compiledFolder()
    for (const { name } of light) {
      copyExample(name, join(folder, name))
      mkdirSync(join(folder, name, 'node_modules'))
      symlinkSync(compiled, join(folder, name, 'node_modules/oncehook'), 'dir')
    }
    cpSync(generatedPrismaClient, join(folder, 'fastify-prisma-shopify/generated/prisma'), { recursive: true })
  })

describe.concurrent('the example', () => {
  test.for(light)(
    '$name passes its own tests and its prover run',
    { timeout: 400_000 },
    async ({ name, failing }, { expect }) => {
      const folder = join(await folderOfExamples(), name)
      const environment = await environmentIn(inject('databaseUrl'), folder)

      const tested = await runCommand(['npm', 'test'], { folder, environment, limitSeconds: 150 })
      expect(tested.code, tested.output).toBe(0)
      const chosen = ['--', '--only', quickScenarios]
      const proven = await runCommand(['npm', 'run', 'prove', ...chosen], { folder, environment, limitSeconds: 150 })
      expect(proven.code, proven.output).toBe(0)
      expect(proven.output).toMatch(/Safe\. 4 scenarios: 4 passed, 0 failed/)

      if (failing === undefined) return
      const wrong = await runCommand(['npm', 'run', failing, ...chosen], { folder, environment, limitSeconds: 150 })
      expect(wrong.code, wrong.output).toBe(1)
      expect(wrong.output).toContain('✗ copies-at-once')
    },
  )
})

test('the client that stands in for "prisma generate" has the models of the example', () => {
  const models = (file: string): readonly string[] =>
    readFileSync(join(root, file), 'utf8').match(/^model [\s\S]*?^}/gm) ?? []

  expect(models('test/clients/prisma-client/schema.prisma')).toEqual(
    expect.arrayContaining([...models('examples/fastify-prisma-shopify/prisma/schema.prisma')]),
  )
})

test('the examples fit the types of this version', async () => {
  const folder = await onceInRun('typed-examples', (folder) => {
    const types = join(folder, 'node_modules/oncehook')
    mkdirSync(types, { recursive: true })
    cpSync(join(root, 'package.json'), join(types, 'package.json'))
    symlinkSync(join(root, 'src'), join(types, 'dist'), 'dir')
    for (const { name } of light) copyExample(name, join(folder, name))
    cpSync(generatedPrismaClient, join(folder, 'fastify-prisma-shopify/generated/prisma'), { recursive: true })
    const config = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { typeRoots: [join(root, 'node_modules/@types')], noPropertyAccessFromIndexSignature: false },
      include: light.map(({ name }) => `${name}/**/*.ts`),
      exclude: ['*/prisma.config.ts'],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  })

  const { output } = await runCommand([process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
    folder: root,
  })

  expect(output).toBe('')
})
