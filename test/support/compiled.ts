import { type ChildProcess, fork } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { onceInRun } from './once-in-run.ts'

const root = resolve(import.meta.dirname, '../..')

/** For processes of tests. PGlite starts in half the time when its code is not made faster first, which pays only for a longer run. */
export const nodeFlags: readonly string[] = ['--liftoff-only']

/** Started or loaded by their names. */
const loadedByName = ['src/cli/main.ts', 'src/gateway/fresh-imports.ts']

/** Programs that tests start in processes of their own, and what these load only when they run. */
const programs = /^test\/(?:(?!sdk\/).*-child|support\/(?:alert-)?app|clients\/open-[^/]*|pglite\/platter)\.ts$/

/**
 * Where a TypeScript file of this repository is as JavaScript, which `node` starts in a third of the time that it takes with a compiler in
 * front. All are compiled together, once in a run and without checking types, which is done elsewhere.
 */
export async function compiledFile(path: string): Promise<string> {
  return join(await compiledFolder(), path.replace(/\.ts$/, '.js'))
}

/** Starts a program in a process of its own, without the options that this one was started with. It can send messages. */
export async function forkProgram(path: string, environment: Readonly<Record<string, string>>): Promise<ChildProcess> {
  return fork(await compiledFile(path), {
    execArgv: [...nodeFlags],
    env: { ...process.env, ...environment, NODE_OPTIONS: '' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}

/** The repository as JavaScript; its `dist` is what a build would make. */
export function compiledFolder(): Promise<string> {
  return onceInRun('compiled', async (folder, lastName) => {
    copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
    symlinkSync('src', join(folder, 'dist'), 'junction')
    mkdirSync(join(folder, 'src'))
    // Where `dashboardBuild` puts it, for those tests that ask for it.
    symlinkSync('../../dashboard', join(folder, 'src/dashboard'), 'dir')
    await bundle(folder, lastName)
  })
}

/** What is imported by others, or started, is where it was; what these share is in few files, which load in half the time. */
async function bundle(folder: string, lastName: string): Promise<void> {
  const files = [...exportedSources(), ...loadedByName, ...filesUnder('test').filter((file) => programs.test(file))]
  const built = await rolldown({
    input: Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ''), join(root, file)])),
    platform: 'node',
    external: /^[^./]/,
    plugins: [keepPlaces(lastName)],
    treeshake: { moduleSideEffects: true },
  })
  await built.write({ dir: folder, entryFileNames: '[name].js', chunkFileNames: 'src/shared/[name]-[hash].js' })
}

/** A file finds others from where it was, not from where its code is now. */
function keepPlaces(folder: string): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!code.includes('import.meta')) return undefined
      const place = join(folder, relative(root, id).replace(/\.ts$/, '.js'))
      return code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(place)))
    },
  }
}

/** What package.json exports, where it is before it is built. */
function exportedSources(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string>>
  }
  return Object.values(exports).flatMap((target) => {
    const source = target.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
    return source.includes('*') ? filesUnder(dirname(source)) : source.endsWith('.ts') ? [source] : []
  })
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
}
