import type { Provider } from '../../index.ts'
import { loadSamples } from '../../testing/samples/index.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { jsonOption } from '../common-options.ts'
import { wrongUsage } from '../failure.ts'
import { loadProvider, providerNames } from '../provider-catalogue.ts'
import { deadline, retryWindow, sectionsOf } from '../provider-texts.ts'
import { drawTable } from '../table.ts'
import { wrapped } from '../wrap.ts'

const options = { ...jsonOption } as const

/** Explains the catalogue. */
export const providersCommand: Command = asCommand({
  name: 'providers',
  summary: 'List the providers, or explain one: how it signs, its id, its retries, what surprised us',
  forms: ['[name] [options]'],
  options,
  examples: ['providers', 'providers stripe', 'providers paypal --json'],
  run: providers,
})

async function providers(call: Call<typeof options>): Promise<0> {
  const [name, unexpected] = call.positionals
  if (unexpected !== undefined)
    throw wrongUsage(`providers takes one name, and no ${JSON.stringify(unexpected)} as well.`)
  return name === undefined ? list(call) : explain(call, name)
}

async function list({ values, terminal, program }: Call<typeof options>): Promise<0> {
  const all = await Promise.all(providerNames.map(providerNamed))
  if (values.json === true) {
    terminal.print(JSON.stringify(all.map(({ name, facts }) => ({ name, ...facts }))))
    return 0
  }
  const { paint } = terminal
  const rows = all.map(({ name, facts }) => [
    paint('cyan', name),
    facts.isBodySigned ? 'signed' : paint('yellow', 'not signed'),
    facts.isIdSigned ? 'signed' : 'not signed',
    retryWindow(facts),
    deadline(facts),
    String(facts.keepDays),
    facts.confidence === 'unsure' ? paint('yellow', 'unsure') : (facts.confidence ?? ''),
  ])
  const titles = ['provider', 'body', 'id', 'tries again', 'deadline', 'days kept', 'known from']
  terminal.print(
    drawTable(
      titles.map((title) => ({ title, ...(title === 'days kept' && { align: 'right' as const }) })),
      rows,
    ),
  )
  terminal.tell(`\n${all.length} providers. For one of them: ${program} providers <name>`)
  return 0
}

async function explain({ values, terminal, program }: Call<typeof options>, name: string): Promise<0> {
  const provider = await providerNamed(name)
  const { types } = await loadSamples(name)
  const { facts } = provider
  if (values.json === true) {
    terminal.print(JSON.stringify({ name, ...facts, samples: types }))
    return 0
  }
  const { paint } = terminal
  terminal.print(paint('bold', facts.title))
  terminal.print(paint('dim', facts.documentation))
  for (const { title, sentences, isWarning } of sectionsOf(facts)) {
    terminal.print(`\n${paint(isWarning === true ? 'yellow' : 'cyan', title)}`)
    for (const text of sentences) terminal.print(wrapped(text, { width: 100, indent: '  ' }))
  }
  for (const [option, meaning] of Object.entries(facts.ownOptions)) {
    terminal.print(`\n${paint('cyan', `Option ${option}`)}\n${wrapped(meaning, { width: 100, indent: '  ' })}`)
  }
  terminal.print(`\nTry it: ${paint('cyan', `${program} send ${name} ${types[0] ?? ''}`.trimEnd())}`)
  return 0
}

/** Without keys: nothing is verified here, only described. */
async function providerNamed(name: string): Promise<Provider> {
  const make = await loadProvider(name)
  if (make !== undefined) return make({ unverified: true })
  const similar = providerNames.filter((known) => known.includes(name) || name.includes(known))
  const hint = similar.length > 0 ? `Did you mean ${similar.join(' or ')}?` : `There are: ${providerNames.join(', ')}.`
  throw wrongUsage(`There is no provider ${JSON.stringify(name)}. ${hint}`)
}
