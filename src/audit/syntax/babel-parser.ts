import type { Node } from './ast.ts'

/** The part of the parser that is used here. */
export type Parse = (text: string, options: ParserOptions) => ParsedFile

export type ParserOptions = {
  readonly sourceType: 'unambiguous'
  readonly allowReturnOutsideFunction: true
  readonly allowAwaitOutsideFunction: true
  readonly allowImportExportEverywhere: true
  readonly allowUndeclaredExports: true
  readonly errorRecovery: true
  readonly plugins: readonly string[]
}

export type ParsedFile = {
  readonly program: Extract<Node, { type: 'Program' }>
  readonly comments?: readonly ParsedComment[] | null
}

type ParsedComment = {
  readonly value: string
  readonly loc?: { readonly start: { readonly line: number }; readonly end: { readonly line: number } } | null
}

const { parse: parseByPackage } = await import('@babel/parser')

/**
 * Here it is the package that the tests install. The build puts the package's own text in the place of this file, so that
 * `npx oncehook audit` needs nothing besides and oncehook has no dependencies: see `scripts/bring-parser.mjs`.
 */
export const parse: Parse = parseByPackage as unknown as Parse
