import type { ExitCode } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** One option of a command, as it is parsed and as it is shown by `--help`. */
export type Option = {
  readonly type: 'string' | 'boolean'
  /** What stands for the value in the help, for example `url`. */
  readonly value?: string
  readonly meaning: string
  /** May be given several times; all values count. */
  readonly isRepeatable?: true
}

export type OptionTable = Readonly<Record<string, Option>>

type OptionValue<Given extends Option> = Given['type'] extends 'boolean'
  ? boolean
  : Given['isRepeatable'] extends true
    ? readonly string[]
    : string

/** The values of the options that were given. */
export type OptionValues<Options extends OptionTable> = {
  readonly [Name in keyof Options]?: OptionValue<Options[Name]> | undefined
}

/** What a command is given to work with. */
export type Call<Options extends OptionTable = OptionTable> = {
  readonly values: OptionValues<Options>
  readonly positionals: readonly string[]
  readonly terminal: Terminal
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where `.oncehook` is looked for. */
  readonly directory: string
  /** How this program was called, for commands that are shown to be copied. */
  readonly program: string
}

/** A command of the command line. */
export type Command<Options extends OptionTable = OptionTable> = {
  readonly name: string
  readonly summary: string
  /** What may stand after the name, one line per form. */
  readonly forms: readonly string[]
  readonly options: Options
  readonly examples: readonly string[]
  readonly run: (call: Call<Options>) => Promise<ExitCode>
}

/** Forgets the options' own types, so that commands of all kinds can stand in one list. */
export function asCommand<const Options extends OptionTable>(command: Command<Options>): Command {
  return command as unknown as Command
}
