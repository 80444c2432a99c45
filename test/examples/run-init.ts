import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { dependOn } from './copy-example.ts'
import { type Stack, stacks, writeStack } from './init-stacks.ts'
import { runCommand } from './run-command.ts'
import { type Bench, type Command, install, runCommands } from './workbench.ts'

/** `oncehook init` in a fresh project of every stack, with packages from the registry: then its types, its test, and `init` once more. */
export async function runInit(bench: Bench): Promise<void> {
  for (const stack of stacks) await initialize(bench, stack)
}

async function initialize(bench: Bench, stack: Stack): Promise<void> {
  const { words = [], prepare = [] } = stack
  const project = { name: `init ${stack.name}`, folder: join(bench.folder, `init-${stack.name}`) }
  mkdirSync(project.folder)
  writeStack(stack, project.folder)
  dependOn(bench.tarball, project.folder)
  const init = ['npx', 'oncehook', 'init', '--yes', ...words]
  const isInstalled = await runCommands(bench, project, [install])
  if (!isInstalled) return
  const planned = await runCommand([...init.filter((word) => word !== '--yes'), '--dry-run', '--json'], project)
  const { testCommand, install: missing } = JSON.parse(planned.output.slice(planned.output.indexOf('{'))) as {
    readonly testCommand: readonly string[]
    readonly install: readonly (readonly string[])[]
  }
  const isTypeScript = stack.manifest.devDependencies?.['typescript'] !== undefined
  await runCommands(bench, project, [
    { step: 'init', words: init },
    ...missing.map((command): Command => ({ step: 'install what is missing', words: [...command, ...quiet] })),
    ...prepare.map((command): Command => ({ step: command.slice(1).join(' '), words: command })),
    ...(isTypeScript ? [{ step: 'types', words: ['npx', 'tsc', '--noEmit'] }] : []),
    { step: 'test', words: testCommand },
    { step: 'init again', words: ['sh', '-c', `${init.join(' ')} | grep "Everything is there already."`] },
  ])
}

const quiet = install.words.slice(2)
