import { spawnSync } from 'node:child_process'
import { debianProgram } from '../support/debian-package.ts'

/** Runs promtool, which comes with Prometheus: what it said, and whether it was content. Undefined where there is none to run. */
export async function promtool(): Promise<Promtool | undefined> {
  const program = await debianProgram('promtool', 'prometheus')
  if (program === undefined) return undefined
  return (parameters, input = '') => {
    const { status, stdout, stderr } = spawnSync(program, parameters, { input, encoding: 'utf8' })
    return { isContent: status === 0, said: `${stdout}${stderr}` }
  }
}

export type Promtool = (
  parameters: readonly string[],
  input?: string,
) => { readonly isContent: boolean; readonly said: string }
