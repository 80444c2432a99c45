import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { saveCase } from '../../capture/cases/case-folder.ts'
import type { OriginalKey } from '../../capture/create-captures.ts'
import {
  capturesTable,
  captureText,
  comparisonText,
  endpointsTable,
  replayTable,
  rulesTable,
} from '../capture-texts.ts'
import { asCommand, type Call, type Command } from '../command.ts'
import { environmentOption, jsonOption, storeOptions } from '../common-options.ts'
import { type ExitCode, failed, sentenceOf, wrongUsage } from '../failure.ts'
import { withCaptures } from '../open-captures.ts'
import { wholeNumber } from '../parse-arguments.ts'
import type { CaptureActions } from '../remote-captures.ts'
import { userName } from '../user-name.ts'

const options = {
  endpoint: { type: 'string', value: 'name', meaning: 'only captures of this endpoint' },
  method: { type: 'string', value: 'name', meaning: 'only requests with this method' },
  status: { type: 'string', value: 'n', meaning: 'only those answered so: 500, or 5 for all of 5xx; 0 for no answer' },
  find: { type: 'string', value: 'text', meaning: 'a part of the path, or where an event id or type begins' },
  limit: { type: 'string', value: 'n', meaning: 'at most so many, newest first; default 50' },
  body: {
    type: 'string',
    value: 'file',
    meaning: 'with replay: another body; with show: "-" for the exact bytes alone',
  },
  to: {
    type: 'string',
    value: 'target',
    meaning: 'with replay: an address, or /in/<source> of the gateway that runs here',
  },
  times: { type: 'string', value: 'n', meaning: 'with replay: how often; default 1, at most 100' },
  parallel: { type: 'boolean', meaning: 'with replay: all at once' },
  sign: { type: 'string', value: 'source', meaning: 'with replay: signs it anew, with the secret of this source' },
  why: { type: 'string', value: 'text', meaning: 'with replay: the reason, which is kept' },
  by: { type: 'string', value: 'name', meaning: 'who does it; default the user of this machine' },
  case: { type: 'string', value: 'name', meaning: 'with save: what the case is called' },
  note: { type: 'string', value: 'text', meaning: 'with create: what the endpoint is for' },
  ...storeOptions,
  ...environmentOption,
  ...jsonOption,
} as const

/** Looks at captures, and works with them. */
export const capturesCommand: Command = asCommand({
  name: 'captures',
  summary: 'Look at captured requests; send them again, compare them, make cases of them',
  forms: [
    '[options]',
    'show <id> [--body -]',
    'replay <id> --to <target> --why <text> [options]',
    'compare <id> <id> …',
    'save <id> --case <name>',
    'endpoints',
    'create <endpoint> [--note <text>]',
    'rules <endpoint> [file]',
  ],
  options,
  examples: [
    'captures --endpoint stripe --status 5',
    'captures show 12',
    'captures replay 12 --to /in/stripe --sign stripe --times 5 --parallel --why "one row?"',
    'captures compare 12 13 receipt:7',
    'captures save 12 --case invoice-paid',
    'captures rules stripe rules.json',
  ],
  run: captures,
})

type CapturesCall = Call<typeof options>
type Work = (captures: CaptureActions) => Promise<ExitCode>

async function captures(call: CapturesCall): Promise<ExitCode> {
  const [verb, ...words] = call.positionals
  const make = verb === undefined ? showList : Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (make === undefined)
    throw wrongUsage(`captures takes ${Object.keys(verbs).join(', ')} or options, and no ${JSON.stringify(verb)}.`)
  const work = await make(call, words)
  return withCaptures(call, work, call.values.sign)
}

/** Everything that is written wrongly is found before anything is opened. */
const verbs: Readonly<Record<string, (call: CapturesCall, words: readonly string[]) => Work | Promise<Work>>> = {
  show: showOne,
  replay,
  compare,
  save,
  endpoints,
  create,
  rules,
}

function showList({ values, terminal }: CapturesCall): Work {
  const { endpoint, method, find: text } = values
  const status = wholeNumber('status', values.status, { atLeast: 0, atMost: 599 })
  const limit = wholeNumber('limit', values.limit, { atLeast: 1, atMost: 10_000 }) ?? 50
  return async (actions) => {
    const found = await actions.find({ endpoint, method: method?.toUpperCase(), status, text, limit })
    if (values.json === true) terminal.print(JSON.stringify(found))
    else if (found.length === 0) terminal.tell('There is no such capture.')
    else terminal.print(capturesTable(found, terminal.paint))
    return 0
  }
}

function showOne({ values, terminal }: CapturesCall, words: readonly string[]): Work {
  const { id } = onlyKey('show', words)
  return async (actions) => {
    const capture = await actions.read(id)
    if (capture === undefined) throw failed(`There is no capture ${id} here.`)
    const { content, answer, ...rest } = capture
    const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
    if (values.json === true)
      terminal.print(
        JSON.stringify({
          ...rest,
          base64: base64(content),
          answer: { ...answer, body: undefined, base64: base64(answer.body) },
        }),
      )
    else if (values.body === '-') terminal.write(content)
    else terminal.print(captureText(capture, terminal.paint))
    return 0
  }
}

async function replay({ values, terminal, directory }: CapturesCall, words: readonly string[]): Promise<Work> {
  const { to, why, sign, parallel = false } = values
  if (to === undefined) throw wrongUsage('--to is missing: say where it is sent.')
  if (why === undefined || why.trim() === '') throw wrongUsage('--why is missing: the reason is kept.')
  const from = onlyKey('replay', words)
  const times = wholeNumber('times', values.times, { atLeast: 1, atMost: 100 })
  const body = values.body === undefined ? undefined : await fileOf(resolve(directory, values.body))
  const by = values.by ?? userName() ?? 'unknown'
  return async (actions) => {
    const sent = await actions.replay({
      from,
      target: to,
      times,
      isParallel: parallel,
      edit: body === undefined ? undefined : { body },
      sign: sign === undefined ? undefined : { source: sign },
      by,
      why,
    })
    if (sent.kind !== 'sent') throw failed(sent.message)
    if (values.json === true) terminal.print(JSON.stringify(sent.replay))
    else terminal.print(replayTable(sent.replay, terminal.paint))
    return sent.replay.results.every(({ status }) => status !== undefined) ? 0 : 1
  }
}

function compare({ values, terminal }: CapturesCall, words: readonly string[]): Work {
  if (words.length < 2 || words.length > 5) throw wrongUsage('captures compare takes two to five ids.')
  const keys = words.map(keyOf)
  return async (actions) => {
    const compared = await actions.compare(keys)
    if (compared.kind === 'not_found')
      throw failed(
        `There is no ${compared.keys.map(({ kind, id }) => `${kind} ${id}`).join(', ')} here, or its body is gone.`,
      )
    if (values.json === true) terminal.print(JSON.stringify(compared.comparison))
    else terminal.print(comparisonText(compared.comparison, terminal.paint))
    return 0
  }
}

function save({ values, terminal, directory }: CapturesCall, words: readonly string[]): Work {
  const from = onlyKey('save', words)
  const name = values.case
  if (name === undefined) throw wrongUsage('--case is missing: say what the case is called.')
  return async (actions) => {
    const made = await actions.makeCase({ from, name })
    if (made.kind === 'not_found') throw failed(`There is no ${from.kind} ${from.id} here, or its body is gone.`)
    if (made.kind === 'wrong') throw failed(`It cannot be a case: ${made.mistakes.join(' ')}`)
    const file = join('cases', `${name}.json`)
    if ((await saveCase(join(directory, 'cases'), made.case)) === 'exists') throw failed(`There is ${file} already.`)
    if (values.json === true) terminal.print(JSON.stringify({ file, case: made.case }))
    else
      terminal.print(`Saved as ${file}. Say there what is expected, and look at what was masked before you share it.`)
    return 0
  }
}

function endpoints({ values, terminal }: CapturesCall): Work {
  return async (actions) => {
    const found = await actions.findEndpoints()
    if (values.json === true) terminal.print(JSON.stringify(found))
    else if (found.length === 0) terminal.tell('There are no endpoints yet: captures create <endpoint>.')
    else terminal.print(endpointsTable(found))
    return 0
  }
}

function create({ values, terminal }: CapturesCall, words: readonly string[]): Work {
  const [name = '', more] = words
  if (words.length !== 1 || more !== undefined) throw wrongUsage('captures create takes one name.')
  return async (actions) => {
    const put = await actions.putEndpoint({ name, note: values.note, by: values.by ?? userName() ?? 'unknown' })
    if (typeof put === 'object') throw wrongUsage(put.message)
    if (put === 'full')
      throw failed('There are as many endpoints as allowed: delete one, or raise captures.mostEndpoints.')
    if (values.json === true) terminal.print(JSON.stringify({ name, outcome: put }))
    else
      terminal.print(
        put === 'created' ? `The gateway takes requests at /capture/${name}.` : `There is an endpoint ${name} already.`,
      )
    return 0
  }
}

async function rules({ values, terminal, directory }: CapturesCall, words: readonly string[]): Promise<Work> {
  const [name, file, more] = words
  if (name === undefined || more !== undefined)
    throw wrongUsage('captures rules takes an endpoint, and a file to give it others.')
  const given: unknown = file === undefined ? undefined : jsonOf(file, await fileOf(resolve(directory, file)))
  return async (actions) => {
    if (given !== undefined) {
      const put = await actions.putRules(name, given)
      if (typeof put === 'object')
        throw failed(
          `The rules were not taken:\n${put.mistakes.map(({ path, message }) => `  ${path} ${message}`).join('\n')}`,
        )
    }
    const found = await actions.readRules(name)
    if (found === undefined) throw failed(`There is no endpoint ${name} here.`)
    if (values.json === true) terminal.print(JSON.stringify(found))
    else if (found.length === 0) terminal.tell(`The endpoint ${name} has no rules: it answers 200.`)
    else terminal.print(rulesTable(found))
    return 0
  }
}

function onlyKey(verb: string, words: readonly string[]): OriginalKey {
  const [word, more] = words
  if (word === undefined || more !== undefined) throw wrongUsage(`captures ${verb} takes one id.`)
  return keyOf(word)
}

/** `12` is a capture, `receipt:12` a receipt. */
function keyOf(word: string): OriginalKey {
  const [, kind = 'capture', id] = /^(?:(capture|receipt):)?(\d{1,18})$/.exec(word) ?? []
  if (id === undefined)
    throw wrongUsage(`${JSON.stringify(word)} is not an id: give 12 for a capture, receipt:12 for a receipt.`)
  return { kind: kind as OriginalKey['kind'], id }
}

async function fileOf(path: string): Promise<Uint8Array> {
  return readFile(path).catch((error: unknown) => {
    throw wrongUsage(`${path} cannot be read. ${sentenceOf(error)}`)
  })
}

function jsonOf(file: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    throw wrongUsage(`${file} is not JSON.`)
  }
}
