import type { Automation } from './automation.ts'
import { operators } from './automation.ts'
import { parsePath, pathsIn, reservedNames } from './scope.ts'

/** Where automations stand: what they may name, and what they may do. */
export type AutomationPlace = {
  readonly sources: readonly string[]
  readonly secrets: readonly string[]
  readonly code: 'on' | 'off'
  /** Whether an address may be sent to, as far as can be said now: the sentence says why not. */
  readonly urlMistake: (url: string) => string | undefined
}

const namePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/
const variablePattern = /^[A-Za-z_]\w{0,62}$/
const mostSteps = 50
const mostCodeSeconds = 20

/** Every mistake in an automation, each with its path. */
export function automationMistakes(name: string, given: unknown, place: AutomationPlace): readonly string[] {
  const mistakes: string[] = []
  const at = (path: string, message: string): void => void mistakes.push(`${path} ${message}`)
  if (!namePattern.test(name)) {
    at('name', 'is not a name: use 1 to 63 small letters, digits, "-" and "_", with a letter or digit first.')
  }
  if (!isRecord(given)) return [...mistakes, 'the automation is not an object: give { on, steps }.']
  demandKnown('', given, ['on', 'steps', 'isEnabled', 'note'])
  if (given['isEnabled'] !== undefined && typeof given['isEnabled'] !== 'boolean')
    at('isEnabled', 'is not true or false.')
  demandText('note', given['note'], { isOptional: true, most: 500 })
  const isCapture = checkTrigger(given['on'])
  const { steps } = given
  if (!Array.isArray(steps) || steps.length === 0 || steps.length > mostSteps) {
    at('steps', `is not a list of 1 to ${mostSteps} steps.`)
    return mistakes
  }
  const variables = new Set<string>()
  let codeMilliseconds = 0
  for (const [index, step] of steps.entries()) checkStep(`steps[${index}]`, step, steps.length - index - 1)
  if (codeMilliseconds > mostCodeSeconds * 1000) {
    at('steps', `have code that may take more than ${mostCodeSeconds} s together.`)
  }
  return mistakes

  function checkTrigger(on: unknown): boolean {
    if (!isRecord(on) || (on['source'] === undefined) === (on['endpoint'] === undefined)) {
      at('on', 'has to be { source, types } or { endpoint }.')
      return false
    }
    demandKnown('on.', on, on['source'] === undefined ? ['endpoint'] : ['source', 'types'])
    const { source, endpoint, types } = on
    if (source !== undefined && !place.sources.some((known) => known === source)) {
      at('on.source', `is no source; there are: ${place.sources.join(', ') || 'none'}.`)
    }
    if (endpoint !== undefined) demandText('on.endpoint', endpoint, { most: 63 })
    const list = types === undefined ? ['*'] : Array.isArray(types) ? types : [types]
    if (list.length === 0 || list.length > 100) at('on.types', 'has to name 1 to 100 types.')
    for (const type of list) demandText('on.types', type, { most: 200 })
    return endpoint !== undefined
  }

  function checkStep(path: string, step: unknown, stepsLeft: number): void {
    if (!isRecord(step)) return at(path, 'is not an object.')
    demandText(`${path}.name`, step['name'], { isOptional: true, most: 100 })
    switch (step['kind'] as Automation['steps'][number]['kind']) {
      case 'extract':
        demandMembers(path, step, ['path', 'as', 'whenMissing'])
        if (typeof step['path'] !== 'string' || parsePath(step['path']) === undefined) {
          at(`${path}.path`, 'is no path: give one as in $.data.object.id, $.items[0] or headers.x-shop.')
        } else demandKnownName(`${path}.path`, step['path'])
        demandWord(`${path}.whenMissing`, step['whenMissing'], ['fail', 'end', 'null'])
        return addVariable(`${path}.as`, step['as'])
      case 'condition':
        demandMembers(path, step, ['value', 'operator', 'than', 'otherwise', 'skip'])
        if (step['operator'] === undefined) at(`${path}.operator`, 'is missing.')
        demandWord(`${path}.operator`, step['operator'], operators)
        demandWord(`${path}.otherwise`, step['otherwise'], ['end', 'skip'])
        demandNumber(`${path}.skip`, step['skip'], { least: 1, most: Math.max(1, stepsLeft), isWhole: true })
        demandTemplate(`${path}.value`, step['value'])
        return demandTemplate(`${path}.than`, step['than'])
      case 'lookup':
        demandMembers(path, step, ['namespace', 'key', 'as'])
        demandPlace(path, step)
        return addVariable(`${path}.as`, step['as'])
      case 'store':
        demandMembers(path, step, ['operation', 'namespace', 'key', 'value', 'by', 'ttlSeconds', 'as'])
        if (step['operation'] === undefined) at(`${path}.operation`, 'is missing.')
        demandWord(`${path}.operation`, step['operation'], ['set', 'set_if_absent', 'increment', 'delete'])
        demandPlace(path, step)
        demandTemplate(`${path}.value`, step['value'])
        if (String(step['operation']).startsWith('set') && step['value'] === undefined)
          at(`${path}.value`, 'is missing.')
        demandNumber(`${path}.by`, step['by'], { least: -1e15, most: 1e15 })
        demandNumber(`${path}.ttlSeconds`, step['ttlSeconds'], { least: 0.001, most: 3.2e9 })
        return step['as'] === undefined ? undefined : addVariable(`${path}.as`, step['as'])
      case 'dedup':
        demandMembers(path, step, ['key', 'namespace', 'ttlSeconds'])
        demandPlace(path, { namespace: 'dedup', ...step })
        return demandNumber(`${path}.ttlSeconds`, step['ttlSeconds'], { least: 1, most: 3.2e9 })
      case 'forward':
        demandMembers(path, step, ['to', 'method', 'headers', 'body'])
        demandWord(`${path}.method`, step['method'], ['POST', 'PUT', 'PATCH'])
        demandHeaders(`${path}.headers`, step['headers'])
        demandTemplate(`${path}.body`, step['body'])
        return checkAddress(`${path}.to`, step['to'])
      case 'respond':
        demandMembers(path, step, ['status', 'headers', 'body'])
        if (!isCapture)
          at(path, 'answers a request, and only a capture endpoint has one that waits: use on: { endpoint }.')
        demandNumber(`${path}.status`, step['status'], { least: 200, most: 599, isWhole: true })
        demandHeaders(`${path}.headers`, step['headers'])
        return demandTemplate(`${path}.body`, step['body'])
      case 'code':
        demandMembers(path, step, ['code', 'as', 'timeoutMilliseconds', 'memoryMegabytes'])
        if (place.code === 'off') at(path, 'has code, which is switched off here (automations.code).')
        demandText(`${path}.code`, step['code'], { most: 20_000 })
        demandNumber(`${path}.timeoutMilliseconds`, step['timeoutMilliseconds'], {
          least: 10,
          most: 10_000,
          isWhole: true,
        })
        demandNumber(`${path}.memoryMegabytes`, step['memoryMegabytes'], { least: 16, most: 512, isWhole: true })
        codeMilliseconds += Number(step['timeoutMilliseconds'] ?? 1000)
        return step['as'] === undefined ? undefined : addVariable(`${path}.as`, step['as'])
      default:
        at(`${path}.kind`, 'is not extract, condition, lookup, store, dedup, forward, respond or code.')
    }
  }

  function checkAddress(path: string, to: unknown): void {
    if (!demandText(path, to, { most: 2000 })) return
    demandTemplate(path, to)
    const origin = /^[a-z]+:\/\/[^/?#]*/i.exec(to)?.[0]
    if (origin === undefined || origin.includes('{{')) {
      return at(path, 'has to begin with an address that is not made from the event, as in https://example.com/….')
    }
    const mistake = place.urlMistake(to.replaceAll(/\{\{[^{}]*\}\}/gu, 'x'))
    if (mistake !== undefined) at(path, mistake)
  }

  function demandPlace(path: string, { namespace, key }: Readonly<Record<string, unknown>>): void {
    demandText(`${path}.namespace`, namespace, { most: 100 })
    if (demandText(`${path}.key`, key, { most: 512 })) demandTemplate(`${path}.key`, key)
  }

  function demandHeaders(path: string, headers: unknown): void {
    if (headers === undefined) return
    if (!isRecord(headers)) return at(path, 'is not an object of headers by name.')
    for (const [header, value] of Object.entries(headers)) {
      if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(header)) at(path, 'has a name that HTTP does not allow.')
      if (demandText(`${path}.${header}`, value, { most: 2000 })) demandTemplate(`${path}.${header}`, value)
    }
  }

  function demandTemplate(path: string, template: unknown): void {
    for (const named of pathsIn(template)) {
      if (parsePath(named) === undefined) at(path, `holds {{${named.slice(0, 50)}}}, which is no path.`)
      else demandKnownName(path, named)
    }
  }

  function demandKnownName(path: string, named: string): void {
    const [head = '', member] = parsePath(named) ?? []
    if (head === 'secret' && !place.secrets.some((secret) => secret === member)) {
      at(path, `names the secret ${String(member).slice(0, 50)}; there are: ${place.secrets.join(', ') || 'none'}.`)
    }
    if (head === 'secret' && !/\.headers\./.test(path)) at(path, 'names a secret, which only headers of a forward may.')
    if (!reservedNames.includes(String(head)) && !variables.has(String(head))) {
      at(path, `names ${String(head).slice(0, 50)}, which no step before has made.`)
    }
  }

  function addVariable(path: string, variable: unknown): void {
    if (typeof variable !== 'string' || !variablePattern.test(variable)) {
      return at(path, 'is not a name for a variable: use letters, digits and "_".')
    }
    if (reservedNames.includes(variable)) return at(path, `is ${variable}, which has a meaning already.`)
    variables.add(variable)
  }

  function demandMembers(path: string, step: object, known: readonly string[]): void {
    demandKnown(`${path}.`, step, ['kind', 'name', ...known])
  }

  function demandKnown(path: string, object: object, known: readonly string[]): void {
    for (const member of Object.keys(object)) {
      if (!known.includes(member)) at(`${path}${member.slice(0, 50)}`, `is unknown; there are: ${known.join(', ')}.`)
    }
  }

  function demandText(
    path: string,
    value: unknown,
    { most, isOptional = false }: { readonly most: number; readonly isOptional?: boolean },
  ): value is string {
    if (value === undefined && isOptional) return false
    const isRight = typeof value === 'string' && value !== '' && value.length <= most && isStorable(value)
    if (!isRight) at(path, value === undefined ? 'is missing.' : `is not a text of 1 to ${most} characters.`)
    return isRight
  }

  function demandWord(path: string, value: unknown, words: readonly string[]): void {
    if (value !== undefined && !words.some((word) => word === value)) at(path, `is not one of ${words.join(', ')}.`)
  }

  function demandNumber(
    path: string,
    value: unknown,
    { least, most, isWhole = false }: { readonly least: number; readonly most: number; readonly isWhole?: boolean },
  ): void {
    const isRight =
      typeof value === 'number' && value >= least && value <= most && (!isWhole || Number.isInteger(value))
    if (value !== undefined && !isRight) at(path, `is not a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`)
  }
}

function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
