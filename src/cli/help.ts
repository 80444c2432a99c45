import type { Command, OptionTable } from './command.ts'
import { drawFacts } from './table.ts'

/** What `oncehook --help` says. */
export function helpOfAll(commands: readonly Command[], program: string): string {
  const list = commands.map(({ name, summary }) => [`  ${name}`, summary] as const)
  return [
    'Every webhook takes effect exactly once.',
    '',
    `Usage: ${program} <command> [options]`,
    '',
    'Commands:',
    drawFacts(list),
    '',
    'Options of every command:',
    drawFacts([
      ['  --json', 'JSON on standard output, and nothing else there'],
      ['  --help', 'what the command does and which options it has'],
    ]),
    '',
    'Exit codes: 0 done, 1 failed, 2 wrongly called.',
    `New here? Run: ${program} start`,
  ].join('\n')
}

/** What `oncehook <command> --help` says. */
export function helpOf({ name, summary, forms, options, examples }: Command, program: string): string {
  const usage = forms.map(
    (form, index) => `${index === 0 ? 'Usage:' : '      '} ${`${program} ${name} ${form}`.trim()}`,
  )
  return [
    `${summary}.`,
    '',
    ...usage,
    '',
    'Options:',
    drawFacts(optionLines(options)),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((example) => `  ${program} ${example}`)]),
  ].join('\n')
}

function optionLines(options: OptionTable): readonly (readonly [string, string])[] {
  const lines = Object.entries(options).map(([name, { value, meaning }]) => {
    const placeholder = value === undefined ? '' : ` <${value}>`
    return [`  --${name}${placeholder}`, meaning] as const
  })
  return [...lines, ['  --help', 'this text']]
}
