import { parseArgs } from 'node:util'
import type { OptionTable } from './command.ts'
import { wrongUsage } from './failure.ts'

/** What was written after the name of a command. */
export type ParsedArguments = {
  readonly values: Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>
  readonly positionals: readonly string[]
}

/** Reads options and the rest, in any order. `--help` is known to every command. */
export function parseArguments(words: readonly string[], options: OptionTable): ParsedArguments {
  const known = Object.entries(options).map(
    ([name, { type, isRepeatable = false }]) => [name, { type, multiple: isRepeatable }] as const,
  )
  const help = { type: 'boolean', short: 'h' } as const
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...words],
      options: { ...Object.fromEntries(known), help },
      allowPositionals: true,
      strict: true,
      tokens: true,
    })
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
    const twice = names.find((name, index) => names.indexOf(name) !== index && options[name]?.isRepeatable !== true)
    if (twice !== undefined) throw wrongUsage(`--${twice} is given twice: give it once.`)
    return { values, positionals }
  } catch (error) {
    throw explained(error, words)
  }
}

/** A whole number within limits. */
export function wholeNumber(
  name: string,
  text: string | undefined,
  range: { readonly atLeast: number; readonly atMost: number },
): number | undefined {
  if (text === undefined) return undefined
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (number >= range.atLeast && number <= range.atMost) return number
  throw wrongUsage(
    `--${name} is ${JSON.stringify(text)}: give a whole number from ${range.atLeast} to ${range.atMost}.`,
  )
}

/** Node's own sentences name its API; these name the options. */
function explained(error: unknown, words: readonly string[]): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const name = /'(-[^ '=]+)/.exec(error.message)?.[1] ?? words.find((word) => word.startsWith('-')) ?? ''
  switch (error.code) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION':
      return wrongUsage(`There is no option ${name} here.`)
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      return wrongUsage(
        error.message.includes('does not take an argument')
          ? `The option ${longName(error.message) ?? name} takes no value.`
          : `The option ${longName(error.message) ?? name} needs a value.`,
      )
    default:
      return error
  }
}

function longName(message: string): string | undefined {
  return /--[a-z-]+/.exec(message)?.[0]
}
