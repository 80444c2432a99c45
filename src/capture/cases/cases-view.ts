import { invalidOptions } from '../../errors.ts'
import type { Provider } from '../../verify/provider.ts'
import type { OriginalKey, ReadOriginal } from '../original.ts'
import { type CaseExpectation, type CaseFile, caseNameAdvice, isCaseName, readCase } from './case-file.ts'
import { type FoundCase, readCases, saveCase } from './case-folder.ts'
import { makeCase } from './make-case.ts'
import type { MaskOptions } from './mask.ts'

/** How a capture becomes a case. */
export type CaseWish = MaskOptions & {
  readonly from: OriginalKey
  readonly name: string
  readonly description?: string | undefined
  readonly expect?: CaseExpectation | undefined
}

/** A test case, or why there is none. */
export type MadeCase =
  | { readonly kind: 'made'; readonly case: CaseFile }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'wrong'; readonly mistakes: readonly string[] }

/** Test cases that are made of captures and receipts. */
export type CasesView = {
  /** A capture or receipt as a file that can be shown to others. Nothing is written. */
  readonly make: (wish: CaseWish) => Promise<MadeCase>
  /** Writes it to the folder of cases, unless there is one of that name. */
  readonly save: (file: CaseFile) => Promise<'saved' | 'exists'>
  readonly folder: string | undefined
  /** The files of that folder. */
  readonly list: () => Promise<readonly FoundCase[]>
}

export type CasesParts = {
  readonly readOriginal: ReadOriginal
  readonly sources: Readonly<Record<string, Provider>>
  readonly catalogue: (() => Promise<readonly Provider[]>) | undefined
  readonly folder: string | undefined
}

export function createCasesView({ readOriginal, sources, catalogue, folder }: CasesParts): CasesView {
  return {
    async make({ from, name, description, expect = { status: '2xx' }, keep, mask }) {
      if (!isCaseName(name)) return { kind: 'wrong', mistakes: [`name is not a name: ${caseNameAdvice}.`] }
      const original = await readOriginal(from)
      if (original === undefined) return { kind: 'not_found' }
      if (original.missing !== undefined) return { kind: 'wrong', mistakes: [original.missing] }
      const provider = original.identity?.provider
      const own = Object.entries(sources).find(([source, one]) =>
        from.kind === 'receipt' ? source === original.name : one.name === provider,
      )
      const known = own?.[1] ?? (await catalogue?.())?.find((one) => one.name === provider)
      const made = makeCase(original, {
        name,
        description,
        source: own?.[0],
        expect,
        proofHeaders: known?.proof.headers ?? [],
        keep,
        mask,
      })
      const checked = readCase(made)
      return 'mistakes' in checked ? { kind: 'wrong', ...checked } : { kind: 'made', case: checked }
    },
    folder,
    save(file) {
      if (folder === undefined) throw invalidOptions('Cases', ['there is no folder to save them in.'])
      return saveCase(folder, file)
    },
    list: async () => (folder === undefined ? [] : ((await readCases(folder)) ?? [])),
  }
}
