import { execFile } from 'node:child_process'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Builds Oncehook as it is published, into a folder of the benchmark's own: `dist` may be rebuilt by somebody else meanwhile.
 * The folder lies below `node_modules`, so that the build finds `pg`. Answers with its place.
 */
export async function buildOncehook(): Promise<string> {
  const folder = join(root, 'node_modules', '.cache', 'oncehook-bench')
  const build = join(folder, 'dist')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const compiler = join(root, 'node_modules', '.bin', 'tsc')
  const parameters = ['-p', 'tsconfig.build.json', '--outDir', build]
  await promisify(execFile)(compiler, parameters, { cwd: root }).catch((error: { readonly stdout?: string }) => {
    throw new Error(`Oncehook does not build:\n${error.stdout}`)
  })
  // It says that the files are modules.
  await copyFile(join(root, 'package.json'), join(folder, 'package.json'))
  return build
}
