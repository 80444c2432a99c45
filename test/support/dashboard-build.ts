import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { onceInRun } from './once-in-run.ts'

const root = resolve(import.meta.dirname, '../..')

/** The built dashboard, made once in a run. Programs of `compiledFolder` find it as they find `dist/dashboard` of a build. */
export function dashboardBuild(): Promise<string> {
  return onceInRun('dashboard', async (folder) => {
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    const parameters = [vite, 'build', 'dashboard', '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn']
    // The test runner's own mode would make a build for development.
    await promisify(execFile)(process.execPath, parameters, {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
    })
  })
}
