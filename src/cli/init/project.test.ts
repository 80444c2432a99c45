import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inspectProject, type Project } from './project.ts'

/** A project with these packages and empty files. */
function inspect(packages: readonly string[], files: readonly string[] = [], manifest: object = {}): Project {
  const folder = mkdtempSync(join(tmpdir(), 'oncehook-project-'))
  try {
    const dependencies = Object.fromEntries(packages.map((name) => [name, '*']))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies, ...manifest }))
    for (const path of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), '')
    }
    return inspectProject(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('a project', () => {
  test.for([
    [['next'], ['app/page.tsx'], 'next-app'],
    [['next'], ['src/pages/index.tsx'], 'next-pages'],
    [['next'], ['pages/index.tsx', 'app/page.tsx'], 'next-app'],
    [['next', 'express'], [], 'next-app'],
    [['nuxt', 'h3'], [], 'nitro'],
    [['@nestjs/core', 'express'], [], 'nest'],
    [['@sveltejs/kit'], [], 'sveltekit'],
    [['@react-router/dev', 'express'], [], 'react-router'],
    [['hono'], [], 'hono'],
    [['koa'], [], 'koa'],
    [['h3'], [], 'h3'],
    [[], [], 'none'],
  ] as const)('with %j and %j is one of %s', ([packages, files, framework]) => {
    expect(inspect(packages, files).framework).toBe(framework)
  })

  test.for([
    [['drizzle-orm', 'pg'], 'drizzle'],
    [['drizzle-orm', 'postgres'], 'drizzle-postgres-js'],
    [['@prisma/client', 'pg'], 'prisma'],
    [['kysely', 'pg'], 'kysely'],
    [['typeorm', 'pg'], 'typeorm'],
    [['knex', 'pg'], 'knex'],
    [['postgres'], 'postgres-js'],
    [['pg'], 'pg'],
    [['express'], 'pg'],
    [[], 'pglite'],
  ] as const)('with %j writes by way of %s', ([packages, store]) => {
    expect(inspect(packages).store).toBe(store)
  })

  test('has the package manager that it names, or else that of its lock file', () => {
    expect(inspect([], ['yarn.lock'], { packageManager: 'pnpm@10.0.0' }).packageManager).toBe('pnpm')
    expect(inspect([], ['yarn.lock']).packageManager).toBe('yarn')
    expect(inspect([], ['bun.lock']).packageManager).toBe('bun')
    expect(inspect([]).packageManager).toBe('npm')
  })

  test('has its language, its modules and its runner in its files and packages', () => {
    expect(inspect(['vitest'], ['tsconfig.json'], { type: 'module' })).toMatchObject({
      language: 'typescript',
      modules: 'esm',
      testRunner: 'vitest',
    })
    expect(inspect(['jest'])).toMatchObject({ language: 'javascript', modules: 'commonjs', testRunner: 'jest' })
  })

  test('whose library speaks another database is known as such', () => {
    expect(inspect(['drizzle-orm', 'mysql2']).otherDatabase).toBe('MySQL')
    expect(inspect(['mongoose', 'pg']).otherDatabase).toBeUndefined()
  })
})
