import { permanent } from '../errors.ts'
import type {
  CodeStep,
  ConditionStep,
  DedupStep,
  ExtractStep,
  ForwardStep,
  LookupStep,
  RespondStep,
  Step,
  StoreStep,
} from './automation.ts'
import { holds } from './compare.ts'
import { forwardTarget } from './forward-message.ts'
import type { RunParts, StepResult } from './run-parts.ts'
import { filled, filledText, type Scope, valueAt } from './scope.ts'

/** A run that has come to a step. */
export type StepParts = RunParts & { readonly number: number; readonly variables: Scope }

const dedupSeconds = 30 * 86_400

/** Does one step. What it throws fails the run, and undoes all of it. */
export async function runStep(step: Step, parts: StepParts): Promise<StepResult> {
  switch (step.kind) {
    case 'extract':
      return extract(step, parts)
    case 'condition':
      return condition(step, parts)
    case 'lookup':
      return lookup(step, parts)
    case 'store':
      return store(step, parts)
    case 'dedup':
      return dedup(step, parts)
    case 'forward':
      return forward(step, parts)
    case 'respond':
      return respond(step, parts)
    case 'code':
      return code(step, parts)
  }
}

function extract({ path, as, whenMissing = 'fail' }: ExtractStep, { scope }: StepParts): StepResult {
  const value = valueAt(scope, path)
  if (value !== undefined) return { summary: `${as} is there.`, input: path, output: value, variables: { [as]: value } }
  if (whenMissing === 'fail') throw permanent(new Error(`There is nothing at ${path}.`))
  const summary = `There is nothing at ${path}.`
  return { summary, input: path, variables: { [as]: null }, ...(whenMissing === 'end' && { next: 'end' as const }) }
}

function condition(
  { value, operator, than, otherwise = 'end', skip = 1 }: ConditionStep,
  { scope }: StepParts,
): StepResult {
  const [left, right] = [filled(value, scope), filled(than, scope)]
  const isMet = holds(left, operator, right)
  const input = { value: left, operator, than: right }
  if (isMet) return { summary: 'It holds.', input, output: true }
  const summary = otherwise === 'end' ? 'It does not hold, so the run ends.' : 'It does not hold.'
  return { summary, input, output: false, next: otherwise === 'end' ? 'end' : { skip } }
}

async function lookup({ namespace, key, as }: LookupStep, { scope, effects }: StepParts): Promise<StepResult> {
  const filledKey = filledText(key, scope)
  const found = await effects.datastore.get(namespace, filledKey)
  const value: unknown = found?.value ?? null
  const summary = found === undefined ? 'There is no such value.' : 'The value is there.'
  return { summary, input: { namespace, key: filledKey }, output: value, variables: { [as]: value } }
}

async function store(step: StoreStep, { scope, effects: { datastore } }: StepParts): Promise<StepResult> {
  const { operation, namespace, by, ttlSeconds, as } = step
  const key = filledText(step.key, scope)
  const value = filled(step.value, scope)
  const input = { operation, namespace, key, ...(step.value !== undefined && { value }) }
  const done = (summary: string, output: unknown): StepResult => ({
    summary,
    input,
    output,
    ...(as !== undefined && { variables: { [as]: output } }),
  })
  switch (operation) {
    case 'set':
      return done('Stored.', (await datastore.set(namespace, key, value, { ttlSeconds })).value)
    case 'set_if_absent': {
      const { stored, current } = await datastore.setIfAbsent(namespace, key, value, { ttlSeconds })
      return done(stored ? 'Stored.' : 'There was a value already, and it was left alone.', current?.value ?? null)
    }
    case 'increment': {
      const options = { ttlSeconds, ...(by !== undefined && { by }) }
      return done('Added.', (await datastore.increment(namespace, key, options)).value)
    }
    case 'delete':
      return done((await datastore.delete(namespace, key)) ? 'Deleted.' : 'There was no such value.', null)
  }
}

/**
 * One insert decides, in the run's own transaction: a run that fails afterwards gives the key back, and of any number that come at once
 * one goes on. An event that is replayed is still the first.
 */
async function dedup(step: DedupStep, { name, scope, effects, receiptId }: StepParts): Promise<StepResult> {
  const { namespace = `dedup:${name}`, ttlSeconds = dedupSeconds } = step
  const key = filledText(step.key, scope)
  const input = { namespace, key }
  const { stored, current } = await effects.datastore.setIfAbsent(namespace, key, { receiptId }, { ttlSeconds })
  const holder = (current?.value as { readonly receiptId?: unknown } | undefined)?.receiptId
  if (stored || holder === receiptId) return { summary: 'The key is new.', input, output: { receiptId: holder } }
  return {
    summary: 'Another event came by with this key, so the run ends.',
    input,
    output: current?.value,
    next: 'end',
  }
}

async function forward(step: ForwardStep, { name, number, scope, effects }: StepParts): Promise<StepResult> {
  const { method = 'POST', headers = {} } = step
  const url = filledText(step.to, { ...scope, ...encodedScope(scope) })
  const message = {
    url,
    method,
    headers: Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, filledText(value, scope)])),
    ...(step.body !== undefined && { body: filled(step.body, scope) }),
  }
  const key = effects.idempotencyKey(`automation ${name} step ${number}`)
  const { added } = await effects.outbox.add(forwardTarget, message, { key })
  const summary = added ? 'Will be sent once the run has committed.' : 'Is on its way already, with the same key.'
  return { summary, input: message, output: { idempotencyKey: key } }
}

function respond({ status = 200, headers = {}, body }: RespondStep, { scope, respond: tell }: StepParts): StepResult {
  const content = filled(body ?? '', scope)
  const answer = {
    status,
    headers: {
      'content-type': typeof content === 'string' ? 'text/plain; charset=utf-8' : 'application/json',
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), filledText(value, scope)]),
      ),
    },
    body: typeof content === 'string' ? content : JSON.stringify(content),
  }
  tell?.(answer)
  return { summary: `Answers with ${status}.`, output: answer }
}

async function code(step: CodeStep, { scope, variables, runCode, compiled, signal }: StepParts): Promise<StepResult> {
  const { as, timeoutMilliseconds = 1000, memoryMegabytes = 64 } = step
  const input = {
    body: scope['body'],
    headers: scope['headers'],
    event: scope['event'],
    request: scope['request'],
    variables,
  }
  const source = await compiled(step.code)
  const result = await runCode({ code: source, input, timeoutMilliseconds, memoryMegabytes }, signal)
  if (result.kind !== 'returned') throw new Error(result.error)
  const { value } = result
  const isEnd = typeof value === 'object' && value !== null && 'end' in value && value.end === true
  return {
    summary: isEnd ? 'The code ended the run.' : 'The code has run.',
    input: { variables },
    output: value,
    ...(as !== undefined && { variables: { [as]: value } }),
    ...(isEnd && { next: 'end' as const }),
  }
}

/** Values in an address are encoded, so that none of them can lead elsewhere. */
function encodedScope(scope: Scope): Scope {
  return Object.fromEntries(Object.entries(scope).map(([name, value]) => [name, encoded(value)]))
}

function encoded(value: unknown): unknown {
  if (typeof value === 'string') return encodeURIComponent(value.toWellFormed())
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(encoded)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, encoded(member)]))
}
