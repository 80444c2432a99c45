import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** The compiled package with the examples beside it, as whoever has installed it finds them. */
export type BuiltPackage = { readonly examples: string; readonly remove: () => void }

/** Compiles into a folder of its own, as `dist` may be in use. Inside node_modules, so that packages are found from there. */
export function buildPackage(): BuiltPackage {
  const cache = join(root, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'oncehook-prover-'))
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
  cpSync(join(root, 'examples/prove'), join(folder, 'examples'), { recursive: true })
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const flags = ['--noCheck', '--declaration', 'false', '--isolatedDeclarations', 'false']
  const parameters = [compiler, '-p', join(root, 'tsconfig.build.json'), '--outDir', join(folder, 'dist'), ...flags]
  execFileSync(process.execPath, parameters, { stdio: 'inherit' })
  return { examples: join(folder, 'examples'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
