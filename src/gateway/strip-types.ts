import { join } from 'node:path'
import { compilerFor, compileWith } from './compiler.ts'

/** Takes types out of the code of automations as it is done for the configuration; undefined where Node does it by itself. */
export function stripTypesIn(directory: string): ((code: string) => Promise<string>) | undefined {
  const file = join(directory, 'code.ts')
  if (isNative()) return undefined
  return async (code) => {
    const compiler = compilerFor(file)
    return compiler === undefined ? code : compileWith(compiler, code, file)
  }
}

function isNative(): boolean {
  const { typescript } = process.features as { readonly typescript?: unknown }
  return typescript !== undefined && typescript !== false
}
