import * as nodeModule from 'node:module'
import { Script } from 'node:vm'
import { evaluated, functionOf } from './run-code.ts'

/** Takes types out of TypeScript. */
export type StripTypes = (code: string) => string | Promise<string>

/** Code of steps as JavaScript, each text once. Rejects with a sentence about what cannot be read. */
export type CompileCode = (code: string) => Promise<string>

const mostRemembered = 200

/** Node strips types by itself from 22.13 on; before that a compiler has to be given, or the code has to be without types. */
export function createCompileCode(stripTypes: StripTypes = nativeStripTypes()): CompileCode {
  const known = new Map<string, Promise<string>>()
  return (code) => {
    const compiled = known.get(code)
    if (compiled !== undefined) return compiled
    if (known.size >= mostRemembered) known.clear()
    const made = compile(code)
    known.set(code, made)
    return made
  }

  async function compile(code: string): Promise<string> {
    try {
      const whole = (await stripTypes(functionOf(code))).replace(/\n\/\/# sourceMappingURL=\S*\s*$/, '')
      const script = whole.trim()
      // Reads it without running it.
      void new Script(evaluated(script))
      return script
    } catch (error) {
      const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
      throw new Error(`The code cannot be read: ${sentence}`, { cause: error })
    }
  }
}

function nativeStripTypes(): StripTypes {
  const { stripTypeScriptTypes } = nodeModule as { readonly stripTypeScriptTypes?: (code: string) => string }
  return stripTypeScriptTypes ?? ((code) => code)
}
