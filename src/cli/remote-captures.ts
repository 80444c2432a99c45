import type { Captures, EndpointsView } from '../capture/create-captures.ts'

/** What commands do with captures, here or in the process that owns the store. */
export type CaptureActions = {
  readonly findEndpoints: EndpointsView['find']
  readonly putEndpoint: EndpointsView['put']
  readonly readRules: EndpointsView['rules']
  readonly putRules: EndpointsView['putRules']
  readonly find: Captures['find']
  readonly read: Captures['read']
  readonly replay: Captures['replay']
  readonly compare: Captures['compare']
  readonly makeCase: Captures['cases']['make']
}

/** One of them by its name, as it goes over the socket. */
export type CallCaptures = (action: keyof CaptureActions, given: readonly unknown[]) => Promise<unknown>

const names: readonly (keyof CaptureActions)[] = [
  'findEndpoints',
  'putEndpoint',
  'readRules',
  'putRules',
  'find',
  'read',
  'replay',
  'compare',
  'makeCase',
]

export function actionsOf({ endpoints, find, read, replay, compare, cases }: Captures): CaptureActions {
  return {
    findEndpoints: endpoints.find,
    putEndpoint: endpoints.put,
    readRules: endpoints.rules,
    putRules: endpoints.putRules,
    find,
    read,
    replay,
    compare,
    makeCase: cases.make,
  }
}

/** What is in these is somebody's own, so it goes as text: a member that is called `at` need not be a time. */
const asText: ReadonlySet<keyof CaptureActions> = new Set(['makeCase', 'readRules', 'putRules'])

/** For the side that owns the store. */
export function calledCaptures(captures: () => Captures): CallCaptures {
  return async (action, given) => {
    if (!names.includes(action)) throw new TypeError(`There is no action ${action}.`)
    const run = actionsOf(captures())[action] as (...given: readonly unknown[]) => Promise<unknown>
    if (!asText.has(action)) return run(...given)
    return JSON.stringify({ result: await run(...(JSON.parse(String(given[0])) as readonly unknown[])) })
  }
}

/** For the side of the command. */
export function capturesThrough(call: CallCaptures): CaptureActions {
  const entries = names.map((name) => {
    const plain = (...given: readonly unknown[]): Promise<unknown> => call(name, given)
    const text = async (...given: readonly unknown[]): Promise<unknown> =>
      (JSON.parse(String(await call(name, [JSON.stringify(given)]))) as { readonly result?: unknown }).result
    return [name, asText.has(name) ? text : plain]
  })
  return Object.fromEntries(entries) as CaptureActions
}
