import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { failed, sentenceOf } from '../failure.ts'
import type { FrameworkName } from './framework-template.ts'
import type { StoreName } from './store-template.ts'
import type { Modules } from './style.ts'

export const testRunners = ['vitest', 'jest', 'node'] as const

export type TestRunner = (typeof testRunners)[number]

export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** What can be seen of a project from its package.json and its files. */
export type Project = {
  readonly directory: string
  readonly framework: FrameworkName
  readonly store: StoreName
  readonly language: 'typescript' | 'javascript'
  readonly modules: Modules
  readonly testRunner: TestRunner
  readonly packageManager: PackageManager
  readonly packages: ReadonlySet<string>
  /** Where "prisma generate" puts its client, from the root. */
  readonly prismaClient: string
  /** Another database that its library speaks, in which receipts cannot be. */
  readonly otherDatabase: string | undefined
}

type Manifest = {
  readonly type?: string
  readonly packageManager?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Looks at a project, and changes nothing. */
export function inspectProject(directory: string): Project {
  const manifest = readManifest(directory)
  const packages = new Set([
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.devDependencies ?? {}),
  ])
  const has = (path: string): boolean => existsSync(join(directory, path))
  const framework = frameworkOf(packages, has)
  return {
    directory,
    framework,
    store: storeOf(packages, framework),
    language: has('tsconfig.json') || packages.has('typescript') ? 'typescript' : 'javascript',
    modules: manifest.type === 'module' ? 'esm' : 'commonjs',
    testRunner: testRunners.find((runner) => packages.has(runner)) ?? 'node',
    packageManager: packageManagerOf(manifest, has),
    packages,
    prismaClient: prismaClientOf(directory),
    otherDatabase: otherDatabaseOf(packages),
  }
}

function readManifest(directory: string): Manifest {
  const file = join(directory, 'package.json')
  if (!existsSync(file)) {
    throw failed('There is no package.json here: run this in the folder of your project, or "npm init" first.')
  }
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
    if (typeof manifest === 'object' && manifest !== null) return manifest
  } catch (error) {
    throw failed(`The package.json here cannot be read: ${sentenceOf(error)}`, error)
  }
  throw failed('The package.json here holds no object.')
}

/** The first package that is there decides: what is built on another framework stands before it. */
const frameworksByPackage: readonly (readonly [string, FrameworkName])[] = [
  ['nuxt', 'nitro'],
  ['nitropack', 'nitro'],
  ['nitro', 'nitro'],
  ['@sveltejs/kit', 'sveltekit'],
  ['@react-router/dev', 'react-router'],
  ['@react-router/node', 'react-router'],
  ['@remix-run/node', 'react-router'],
  ['@nestjs/core', 'nest'],
  ['fastify', 'fastify'],
  ['express', 'express'],
  ['hono', 'hono'],
  ['koa', 'koa'],
  ['h3', 'h3'],
]

function frameworkOf(packages: ReadonlySet<string>, has: (path: string) => boolean): FrameworkName {
  if (packages.has('next')) {
    const hasAppRouter = has('app') || has('src/app')
    return !hasAppRouter && (has('pages') || has('src/pages')) ? 'next-pages' : 'next-app'
  }
  return frameworksByPackage.find(([name]) => packages.has(name))?.[1] ?? 'none'
}

const storesByPackage: readonly (readonly [string, StoreName])[] = [
  ['@prisma/client', 'prisma'],
  ['prisma', 'prisma'],
  ['kysely', 'kysely'],
  ['typeorm', 'typeorm'],
  ['knex', 'knex'],
  ['postgres', 'postgres-js'],
  ['pg', 'pg'],
  ['@electric-sql/pglite', 'pglite'],
]

function storeOf(packages: ReadonlySet<string>, framework: FrameworkName): StoreName {
  if (packages.has('drizzle-orm')) {
    return packages.has('postgres') && !packages.has('pg') ? 'drizzle-postgres-js' : 'drizzle'
  }
  const found = storesByPackage.find(([name]) => packages.has(name))?.[1]
  return found ?? (framework === 'none' ? 'pglite' : 'pg')
}

const otherDatabases: readonly (readonly [string, string])[] = [
  ['mysql2', 'MySQL'],
  ['mysql', 'MySQL'],
  ['better-sqlite3', 'SQLite'],
  ['@libsql/client', 'SQLite'],
  ['mongodb', 'MongoDB'],
  ['mongoose', 'MongoDB'],
]

function otherDatabaseOf(packages: ReadonlySet<string>): string | undefined {
  if (packages.has('pg') || packages.has('postgres')) return undefined
  return otherDatabases.find(([name]) => packages.has(name))?.[1]
}

function packageManagerOf({ packageManager }: Manifest, has: (path: string) => boolean): PackageManager {
  const named = /^(npm|pnpm|yarn|bun)@/.exec(packageManager ?? '')?.[1]
  if (named !== undefined) return named as PackageManager
  if (has('pnpm-lock.yaml')) return 'pnpm'
  if (has('yarn.lock')) return 'yarn'
  return has('bun.lock') || has('bun.lockb') ? 'bun' : 'npm'
}

function prismaClientOf(directory: string): string {
  const schema = ['prisma/schema.prisma', 'schema.prisma'].find((path) => existsSync(join(directory, path)))
  if (schema === undefined) return 'generated/prisma'
  const output = /^\s*output\s*=\s*"([^"]+)"/m.exec(readFileSync(join(directory, schema), 'utf8'))?.[1]
  return output === undefined ? 'generated/prisma' : posix.join(dirname(schema), output)
}
