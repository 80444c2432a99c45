import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { providerNames } from '../../src/cli/provider-catalogue.ts'
import { providerIndex, providerPage } from '../../src/cli/provider-page.ts'
import { root } from './pages.ts'
import { compiledFile, compilePrograms, type Program, programsOf, removePrograms, writePrograms } from './programs.ts'

const folder = join(root, 'docs/providers')

afterAll(removePrograms)

describe('the page of a provider', () => {
  test.each(providerNames)('%s says what its declaration says (else: npm run docs:providers)', async (name) => {
    expect(readFileSync(join(folder, `${name}.md`), 'utf8')).toBe(await providerPage(name))
  })

  test('is there for every provider and for nothing else, and all are listed', async () => {
    const files = readdirSync(folder).filter((file) => file !== 'README.md')

    expect(files.toSorted()).toEqual(providerNames.map((name) => `${name}.md`).toSorted())
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(await providerIndex())
  })

  test('has an example that takes a signed event', async () => {
    const programs = providerNames.map(programOf)
    const files = writePrograms(programs)
    expect(await compilePrograms()).toBe('')
    const compiled = programs.map((program, index) => [providerNames[index], compiledFile(files.get(program) ?? '')])

    const printed = await inOwnDatabase((url) => runExamples(url, JSON.stringify(compiled)))

    const unexpected = printed.filter((line) => !/ (?:accepted 1|processed 0|starts)$/.test(line))
    expect(unexpected).toEqual([])
    expect(printed).toHaveLength(providerNames.length)
  })
})

function programOf(name: string): Program {
  const path = `docs/providers/${name}.md`
  const [program] = programsOf({ path, text: readFileSync(join(root, path), 'utf8') })
  if (program === undefined) throw new Error(`${path} has no example.`)
  return { ...program, text: `${program.text}\nexport { inbox }` }
}

async function runExamples(url: string, compiled: string): Promise<readonly string[]> {
  const child = join(root, 'test/docs/provider-examples-child.ts')
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', child, compiled], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url, NODE_OPTIONS: '' },
    timeout: 120_000,
  })
  return stdout.split('\n').filter((line) => line !== '')
}

async function inOwnDatabase<Result>(work: (url: string) => Promise<Result>): Promise<Result> {
  const url = new URL(inject('databaseUrl'))
  const name = `docs_${randomBytes(8).toString('hex')}`
  const server = new Client({ connectionString: url.href })
  await server.connect()
  await server.query(`create database ${name}`)
  url.pathname = `/${name}`
  try {
    const database = new Client({ connectionString: url.href })
    await database.connect()
    await database.query('create table seen (event text)')
    await database.end()
    return await work(url.href)
  } finally {
    await server.query(`drop database ${name} with (force)`)
    await server.end()
  }
}
