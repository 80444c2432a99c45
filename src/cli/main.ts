#!/usr/bin/env node
import type { Call, Command } from './command.ts'
import { alertsCommand } from './commands/alerts.ts'
import { auditCommand } from './commands/audit.ts'
import { backfillCommand } from './commands/backfill.ts'
import { capturesCommand } from './commands/captures.ts'
import { casesCommand } from './commands/cases.ts'
import { dataCommand } from './commands/data.ts'
import { deadCommand } from './commands/dead.ts'
import { doctorCommand } from './commands/doctor.ts'
import { gapsCommand } from './commands/gaps.ts'
import { holdCommand, releaseCommand } from './commands/hold.ts'
import { importCommand } from './commands/import.ts'
import { initCommand } from './commands/init.ts'
import { listenCommand } from './commands/listen.ts'
import { mcpCommand } from './commands/mcp.ts'
import { migrateCommand } from './commands/migrate.ts'
import { patternsCommand } from './commands/patterns.ts'
import { proveCommand } from './commands/prove.ts'
import { providersCommand } from './commands/providers.ts'
import { pruneCommand } from './commands/prune.ts'
import { receiptsCommand } from './commands/receipts.ts'
import { rekeyCommand } from './commands/rekey.ts'
import { replayCommand } from './commands/replay.ts'
import { sendCommand } from './commands/send.ts'
import { shadowCommand } from './commands/shadow.ts'
import { simulateCommand } from './commands/simulate.ts'
import { startCommand } from './commands/start.ts'
import { statusCommand } from './commands/status.ts'
import { type ExitCode, exitCodeOf, sentenceOf, wrongUsage } from './failure.ts'
import { helpOf, helpOfAll } from './help.ts'
import { parseArguments } from './parse-arguments.ts'
import { programName } from './program-name.ts'
import { processTerminal, type Terminal } from './terminal.ts'
import { packageVersion } from './version.ts'

const commands: readonly Command[] = [
  initCommand,
  startCommand,
  listenCommand,
  sendCommand,
  proveCommand,
  auditCommand,
  simulateCommand,
  providersCommand,
  statusCommand,
  doctorCommand,
  receiptsCommand,
  deadCommand,
  replayCommand,
  holdCommand,
  releaseCommand,
  pruneCommand,
  alertsCommand,
  patternsCommand,
  capturesCommand,
  casesCommand,
  dataCommand,
  mcpCommand,
  gapsCommand,
  backfillCommand,
  importCommand,
  shadowCommand,
  migrateCommand,
  rekeyCommand,
]

const program = programName(process.argv[1] ?? 'oncehook', process.cwd())
const terminal = processTerminal()
// Whoever reads our output may have read enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

process.exitCode = await run(process.argv.slice(2), terminal)

async function run(words: readonly string[], { print, tell }: Terminal): Promise<ExitCode> {
  const [name = '--help', ...rest] = words
  try {
    if (name === '--help' || name === '-h' || name === 'help') {
      print(rest[0] === undefined ? helpOfAll(commands, program) : helpOf(commandNamed(rest[0]), program))
      return 0
    }
    if (name === '--version') {
      print(await packageVersion())
      return 0
    }
    const command = commandNamed(name)
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
    if (exitCode === 2)
      tell(`See: ${program} ${commands.some((command) => command.name === name) ? `${name} ` : ''}--help`)
    return exitCode
  }
}

function commandNamed(name: string): Command {
  const command = commands.find((known) => known.name === name)
  if (command !== undefined) return command
  const known = commands.map((command) => command.name).join(', ')
  throw wrongUsage(`There is no command ${JSON.stringify(name)}. There are: ${known}.`)
}
