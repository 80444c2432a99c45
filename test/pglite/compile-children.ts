import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** Turns the files that children run, and all they import, into what `node` alone can run. Answers with the folder they are in. */
export function compileChildren(): string {
  // Inside node_modules, so that packages are found from there.
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const output = mkdtempSync(join(cache, 'oncehook-child-'))
  writeFileSync(join(output, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(output, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        outDir: output,
        rootDir: root,
        noCheck: true,
        typeRoots: [join(root, 'node_modules/@types')],
      },
      include: [],
      files: ['platter', 'writer-child'].map((name) => join(root, 'test/pglite', `${name}.ts`)),
    }),
  )
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(output, 'tsconfig.json')], {
    stdio: 'inherit',
  })
  return join(output, 'test/pglite')
}
