#!/usr/bin/env node
import { allCommands } from './all-commands.ts'
import type { Call, Command } from './command.ts'
import { type ExitCode, exitCodeOf, sentenceOf, wrongUsage } from './failure.ts'
import { helpOf, helpOfAll } from './help.ts'
import { parseArguments } from './parse-arguments.ts'
import { programName } from './program-name.ts'
import { processTerminal, type Terminal } from './terminal.ts'
import { packageVersion } from './version.ts'

const program = programName(process.argv[1] ?? 'oncehook', process.cwd())
const terminal = processTerminal()
// Whoever reads our output may have read enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

process.exitCode = await run(process.argv.slice(2), terminal)

async function run(words: readonly string[], { print, tell }: Terminal): Promise<ExitCode> {
  const [name = '--help', ...rest] = words
  try {
    if (name === '--help' || name === '-h' || name === 'help') {
      print(await help(rest[0]))
      return 0
    }
    if (name === '--version') {
      print(await packageVersion())
      return 0
    }
    const command = await commandNamed(name)
    const { values, positionals } = parseArguments(rest, command.options)
    if (values['help'] === true) {
      print(helpOf(command, program))
      return 0
    }
    return await command.run({
      values: values as Call['values'],
      positionals,
      terminal,
      program,
      environment: process.env,
      directory: process.cwd(),
    })
  } catch (error) {
    const exitCode = exitCodeOf(error)
    tell(`oncehook: ${sentenceOf(error)}`)
    if (exitCode === 2) tell(`See: ${program} ${Object.hasOwn(allCommands, name) ? `${name} ` : ''}--help`)
    return exitCode
  }
}

async function help(name: string | undefined): Promise<string> {
  if (name !== undefined) return helpOf(await commandNamed(name), program)
  return helpOfAll(await Promise.all(Object.values(allCommands).map((load) => load())), program)
}

function commandNamed(name: string): Promise<Command> {
  const load = Object.hasOwn(allCommands, name) ? allCommands[name] : undefined
  if (load !== undefined) return load()
  const known = Object.keys(allCommands).join(', ')
  throw wrongUsage(`There is no command ${JSON.stringify(name)}. There are: ${known}.`)
}
