import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { compiledFolder, nodeFlags } from '../support/compiled.ts'
import { quickPglite } from '../support/quick-pglite.ts'
import { type Page, root } from './pages.ts'

/** One or more code blocks of a page that make a program together. */
export type Program = {
  /** The page and the line of the first block. */
  readonly name: string
  readonly text: string
  readonly isRun: boolean
  /** What it prints, line by line. */
  readonly prints: readonly string[]
}

/** The programs of a page. The words that may follow `ts` are explained in `examples.test.ts`. */
export function programsOf({ path, text }: Page): readonly Program[] {
  const programs: Program[] = []
  for (const { words, code, line } of blocksOf(text)) {
    const before = words.includes('continued') ? programs.pop() : undefined
    if (words.includes('continued') && before === undefined) throw new Error(`${path}:${line} continues nothing`)
    const whole = before === undefined ? code : `${before.text}\n${code}`
    programs.push({
      name: before?.name ?? `${path}:${line}`,
      text: whole,
      isRun: (before?.isRun ?? true) && !words.includes('not-run'),
      prints: [...whole.matchAll(/\/\/ => (.*)$/gm)].map(([, printed = '']) => printed.trimEnd()),
    })
  }
  return programs
}

type Block = { readonly words: readonly string[]; readonly code: string; readonly line: number }

function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(/^```ts\b(.*)\n([\s\S]*?)^```$/gm)].map(({ 1: rest = '', 2: code = '', index }) => ({
    words: rest.trim().split(/\s+/),
    code,
    line: text.slice(0, index).split('\n').length,
  }))
}

/** Not in version control, inside the repository, so that packages are found, and of this run alone. */
const folder = join(root, `node_modules/.cache/oncehook-docs-${process.pid}`)
const output = join(folder, 'compiled')

/** Writes all programs as files, each import of this package led to its source. Answers with where each one is. */
export function writePrograms(programs: readonly Program[]): ReadonlyMap<Program, string> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  const files = new Map(
    programs.map((program) => [program, join(folder, `${program.name.replaceAll(/[^\w-]+/g, '-')}.ts`)]),
  )
  for (const [{ text }, file] of files) writeFileSync(file, `${withSourceImports(text)}\nexport {}\n`)
  const compilerOptions = {
    noUnusedLocals: false,
    noUnusedParameters: false,
    noEmit: false,
    rootDir: root,
    outDir: output,
  }
  const names = [...files.values()].map((file) => relative(folder, file))
  const config = { extends: relative(folder, join(root, 'tsconfig.json')), compilerOptions, files: names, include: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  return files
}

export function removePrograms(): void {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Compiles all programs that were written, and the sources with them. Answers with what the compiler complains of. What they import is then
 * taken from where all tests have it, which loads faster.
 */
export async function compilePrograms(): Promise<string> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { output: said } = await run([compiler, '-p', folder, '--pretty', 'false'], {})
  rmSync(join(output, 'src'), { recursive: true, force: true })
  symlinkSync(join(await compiledFolder(), 'src'), join(output, 'src'), 'junction')
  return said.replaceAll(/^.*oncehook-docs-\d+\//gm, '')
}

/** Where the compiler puts a program. */
export function compiledFile(file: string): string {
  return join(output, relative(root, file)).replace(/\.ts$/, '.js')
}

/** Runs a compiled program in a process of its own, as far as its last line: it need not end by itself. */
export async function runProgram(
  { text }: Program,
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  const quick = /oncehook\/(?:pglite|testing)'/.test(text) ? await quickPglite() : { flags: [], environment: {} }
  const start = `await import(${JSON.stringify(compiledFile(file))}); process.exit(0)`
  return run([...nodeFlags, ...quick.flags, '--input-type=module', '--eval', start], {
    ...environment,
    ...quick.environment,
  })
}

export type Ended = { readonly exitCode: number; readonly printed: readonly string[]; readonly output: string }

function run(given: readonly string[], environment: Readonly<Record<string, string>>): Promise<Ended> {
  const env = { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '', ...environment }
  return new Promise((resolve) => {
    execFile(process.execPath, given, { cwd: root, env, timeout: 60_000 }, (error, printed, complaints) => {
      const exitCode = typeof error?.code === 'number' ? error.code : Number(error !== null)
      const lines = printed.split('\n').filter((line) => line !== '')
      resolve({ exitCode, printed: lines, output: `${printed}${complaints}` })
    })
  })
}

/** What `prisma generate` makes for users; the tests have one of their own. */
const generatedPrismaClient = "'./generated/prisma/client.js'"

/** Only what package.json exports can be imported, as by a user. */
function withSourceImports(text: string): string {
  return text
    .replaceAll(/(from |import )'(oncehook(?:\/[\w/-]+)?)'/g, (_, before: string, name: string) => {
      return `${before}'${relative(folder, join(root, sourceOf(name)))}'`
    })
    .replaceAll(generatedPrismaClient, `'${relative(folder, join(root, 'test/clients/prisma-client/client.ts'))}'`)
}

function sourceOf(name: string): string {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string>>
  }
  const path = name.replace(/^oncehook/, '.')
  for (const [exported, target] of Object.entries(exports)) {
    const [beginning = '', end] = exported.split('*')
    const fits = end === undefined ? path === exported : path.startsWith(beginning) && path.endsWith(end)
    const source = target.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
    if (fits) return end === undefined ? source : source.replace('*', path.slice(beginning.length))
  }
  throw new Error(`package.json does not export ${name}`)
}
