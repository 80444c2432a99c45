import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyExample, dependOn } from './copy-example.ts'
import type { Example } from './example-list.ts'
import { type Bench, type Command, install, runCommands } from './workbench.ts'

/** Installs an example and runs its own scripts. */
export async function runExample(bench: Bench, { name, failing }: Example): Promise<void> {
  const folder = join(bench.folder, name)
  copyExample(name, folder)
  dependOn(bench.tarball, folder)
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  await runCommands(bench, { name, folder }, [
    install,
    ...(scripts['generate'] === undefined ? [] : [script('generate')]),
    script('check'),
    script('test'),
    { step: 'prove', words: ['npm', 'run', 'prove', '--', '--kills', '4'] },
    ...(failing === undefined ? [] : [{ ...script(failing), code: 1 }]),
  ])
}

function script(name: string): Command {
  return { step: name, words: ['npm', 'run', name] }
}
