import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { postgresStore } from '../../store/postgres/postgres-store.ts'
import type { FrameworkName, FrameworkPlace, FrameworkTemplate, NewFile } from './framework-template.ts'
import { frameworkTemplates } from './frameworks/all-frameworks.ts'
import { installCommands } from './install.ts'
import type { Project } from './project.ts'
import { storeTemplates } from './stores/all-stores.ts'
import { styleOf } from './style.ts'
import { testFile } from './test-file.ts'
import { type Choice, type ChosenProvider, handlersFile, inboxFile, migrationFile } from './webhook-files.ts'

/** What is to become of one file. A file that is there is never changed, but for variables that are added to its end. */
export type Change = {
  readonly path: string
  readonly kind: 'new' | 'grows' | 'there'
  /** What is written, or added. */
  readonly text: string
}

export type Plan = {
  readonly changes: readonly Change[]
  /** Commands that install what is missing. */
  readonly install: readonly (readonly string[])[]
  /** What has to be added to the app by hand, and where; nothing if it is there. */
  readonly wiring: { readonly file: string | undefined; readonly lines: readonly string[] } | undefined
  readonly testCommand: readonly string[]
  /** Runs the server that was written; undefined if the app has its own way to start. */
  readonly startCommand: readonly string[] | undefined
  readonly needsServer: boolean
  readonly variables: readonly string[]
}

export type PlanOptions = { readonly provider: ChosenProvider; readonly migrations: 'automatic' | 'manual' }

/** Everything that is to be written, installed and done. Reads the project, and changes nothing. */
export function makePlan(project: Project, { provider, migrations }: PlanOptions): Plan {
  const framework = frameworkTemplates[project.framework]
  const store = storeTemplates[project.store]
  const style = styleOf(project.language, framework.modules ?? project.modules)
  const sources = sourcesOf(project)
  const folder = `${sources}${framework.folder}`
  const toRoot = '../'.repeat(folder.split('/').length)
  const place = { style, sources, folder, toRoot, prismaClient: project.prismaClient }
  const choice: Choice = { place, provider, store, migrations }
  const test = testFile(choice, { runner: project.testRunner, folder: testFolderOf(project) })
  const app = findApp(project, framework, place)
  const server = app.isMissing ? framework.server : undefined
  const files = [
    inboxFile(choice),
    handlersFile(choice),
    ...framework.files(place),
    ...(server === undefined ? [] : [server.file(place)]),
    migrationFile(),
    ...(migrations === 'manual' ? [ledgerMigration()] : []),
    test,
  ]
  const needsServer = store.test !== undefined && store.test(place).isInMemory !== true
  const variables = [
    project.store === 'pglite'
      ? 'DATABASE_FOLDER=./data'
      : 'DATABASE_URL=postgres://postgres:postgres@127.0.0.1:5432/postgres',
    ...(provider.variable === undefined ? [] : [`${provider.variable}=`]),
  ]
  const needed = {
    packages: ['oncehook', ...store.packages, ...(server?.packages ?? [])],
    developmentPackages: [
      ...(store.developmentPackages?.(style) ?? []),
      ...(style.isTypeScript ? (server?.types ?? []) : []),
      ...(style.isTypeScript && (project.testRunner === 'node' || server !== undefined) ? ['tsx'] : []),
    ],
  }
  const wiring = framework.wiring(place)
  return {
    changes: [...files.map((file) => changeOf(project, file)), environmentChange(project, variables)],
    install: installCommands(project, needed),
    wiring: app.isWired || server !== undefined || wiring.length === 0 ? undefined : { file: app.file, lines: wiring },
    testCommand: testCommandOf(project, test.path),
    startCommand: server === undefined ? undefined : startCommandOf(project, server.file(place).path),
    needsServer,
    variables,
  }
}

/** Where the framework wants its sources; elsewhere `src`, unless the app is a file in the root and there is no such folder. */
function sourcesOf({ framework, directory }: Project): string {
  const has = (path: string): boolean => existsSync(join(directory, path))
  switch (framework) {
    case 'next-app':
    case 'next-pages':
      return has('src/app') || has('src/pages') ? 'src/' : ''
    case 'react-router':
      return 'app/'
    case 'nitro':
      return ''
    default: {
      const { entry } = frameworkTemplates[framework]
      const isAppInRoot =
        entry !== undefined && filesIn(directory, '').some((path) => entry.test(contentOf(directory, path)))
      return isAppInRoot && !has('src') ? '' : 'src/'
    }
  }
}

type App = { readonly isMissing: boolean; readonly isWired: boolean; readonly file: string | undefined }

/** The file in which the app is made. Our own server counts as missing, so that a second run finds it where it would write it. */
function findApp({ directory }: Project, { entry, server }: FrameworkTemplate, place: FrameworkPlace): App {
  const files = filesIn(directory, place.sources)
  const isWired = files.some((path) => /\bstartWebhooks\(\)/.test(contentOf(directory, path)))
  const own = server?.file(place)
  const isOwn = own !== undefined && contentOf(directory, own.path) === own.text
  if (entry === undefined || isOwn) return { isMissing: isOwn, isWired, file: undefined }
  const file = files.find((path) => entry.test(contentOf(directory, path)))
  return { isMissing: file === undefined, isWired, file }
}

/** Files with code directly in a folder. */
function filesIn(directory: string, folder: string): readonly string[] {
  const place = join(directory, folder)
  if (!existsSync(place)) return []
  return readdirSync(place)
    .filter((name) => /\.[cm]?[jt]s$/.test(name) && !/\.(test|spec|config|d)\./.test(name))
    .map((name) => `${folder}${name}`)
}

function contentOf(directory: string, path: string): string {
  const file = join(directory, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

function testFolderOf({ directory }: Project): string {
  return ['test', 'tests', '__tests__'].find((name) => existsSync(join(directory, name))) ?? 'test'
}

function testCommandOf({ testRunner, language }: Project, path: string): readonly string[] {
  switch (testRunner) {
    case 'vitest':
      return ['npx', 'vitest', 'run', path]
    case 'jest':
      return ['node', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js', path]
    case 'node':
      return ['node', ...(language === 'typescript' ? ['--import', 'tsx'] : []), '--test', path]
  }
}

function startCommandOf({ language }: Project, path: string): readonly string[] {
  return ['node', '--env-file=.env', ...(language === 'typescript' ? ['--import', 'tsx'] : []), path]
}

/** For those who run migrations themselves. Nothing is connected to. */
function ledgerMigration(): NewFile {
  return {
    path: 'migrations/oncehook.sql',
    text: `${postgresStore('postgres://localhost/app').migrationSql().trimEnd()}\n`,
  }
}

function changeOf({ directory }: Project, { path, text }: NewFile): Change {
  return { path, text, kind: existsSync(join(directory, path)) ? 'there' : 'new' }
}

/** Variables that nobody has named yet. */
function environmentChange({ directory }: Project, variables: readonly string[]): Change {
  const path = '.env.example'
  const isThere = existsSync(join(directory, path))
  const known = contentOf(directory, path)
  const missing = variables.filter((line) => !new RegExp(`^\\s*${line.split('=', 1)[0]}=`, 'm').test(known))
  if (missing.length === 0) return { path, kind: 'there', text: '' }
  const separator = known === '' || known.endsWith('\n') ? '' : '\n'
  return { path, kind: isThere ? 'grows' : 'new', text: `${separator}${missing.join('\n')}\n` }
}

/** What people call it. */
export function frameworkTitle(name: FrameworkName): string {
  return frameworkTemplates[name].title
}
