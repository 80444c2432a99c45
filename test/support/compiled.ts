import { type ChildProcess, execFile, fork } from 'node:child_process'
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { onceInRun } from './once-in-run.ts'

const root = resolve(import.meta.dirname, '../..')

/** For processes of tests. PGlite starts in half the time when its code is not made faster first, which pays only for a longer run. */
export const nodeFlags: readonly string[] = ['--liftoff-only']

/** Programs that tests start in processes of their own, and what these load only when they run. */
const programs = [
  'test/**/*-child.ts',
  'test/support/app.ts',
  'test/support/alert-app.ts',
  'test/clients/open-*.ts',
  'test/pglite/platter.ts',
]

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
  return onceInRun('compiled', async (folder) => {
    copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
    symlinkSync('src', join(folder, 'dist'), 'junction')
    mkdirSync(join(folder, 'src'))
    // Where `dashboardBuild` puts it, for those tests that ask for it.
    symlinkSync('../../dashboard', join(folder, 'src/dashboard'), 'dir')
    const settings = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        noCheck: true,
        rootDir: root,
        outDir: folder,
        typeRoots: [join(root, 'node_modules/@types')],
      },
      include: ['src/**/*.ts', ...programs].map((pattern) => join(root, pattern)),
      exclude: [join(root, 'src/**/*.test.ts'), join(root, 'test/sdk')],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    await promisify(execFile)(process.execPath, [compiler, '-p', join(folder, 'tsconfig.json')])
  })
}
