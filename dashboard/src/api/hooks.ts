import { createContext } from 'preact'
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Api, Failure, Method, Result } from './client.ts'
import type { LiveEvent, LiveState, LiveStream } from './live.ts'
import type { Page, Role, Session } from './types.ts'

/** What every page stands on. */
export type AppParts = {
  readonly api: Api
  readonly live: LiveStream
  readonly session: Session
  readonly logOut: () => void
}

export const AppContext = createContext<AppParts | undefined>(undefined)

export function useApp(): AppParts {
  const parts = useContext(AppContext)
  if (parts === undefined) throw new Error('A page is shown outside of the app.')
  return parts
}

const ranks: Readonly<Record<Role, number>> = { viewer: 1, operator: 2, admin: 3 }

/** Whether the reader may do what needs this role. What they may not do is not offered. */
export function useMay(role: Role): boolean {
  const { session } = useApp()
  if (session.isReadOnly === true && role === 'operator') return false
  return ranks[session.role ?? 'viewer'] >= ranks[role]
}

/** Whether the reader may define what runs here. */
export function useMayDefine(): boolean {
  const { session } = useApp()
  return useMay('admin') && session.isReadOnly !== true
}

/** Something that is read from the API and shown. An older value stays while a newer one is fetched, also when that fails. */
export type Resource<Value> = {
  readonly value: Value | undefined
  readonly failure: Failure | undefined
  readonly isLoading: boolean
  readonly reload: () => void
}

export type ResourceOptions = { readonly refreshSeconds?: number }

/** Reads a path, again when it changes. Undefined reads nothing. */
export function useResource<Value>(path: string | undefined, options: ResourceOptions = {}): Resource<Value> {
  const { api } = useApp()
  const [state, setState] = useState<ResourceState<Value>>(nothing)
  const [round, setRound] = useState(0)
  const reload = useCallback(() => setRound((before) => before + 1), [])

  useEffect(() => {
    if (path === undefined) return setState(nothing)
    const controller = new AbortController()
    setState((before) => (before.path === path ? { ...before, isLoading: true } : { ...nothing, isLoading: true }))
    void api.call<Value>('GET', path, { signal: controller.signal }).then((result) => {
      if (!controller.signal.aborted) setState((before) => afterResult(path, before, result))
    })
    return () => controller.abort()
  }, [api, path, round])

  useInterval(reload, options.refreshSeconds)
  return { ...state, reload }
}

type ResourceState<Value> = Omit<Resource<Value>, 'reload'> & { readonly path: string | undefined }

const nothing = { value: undefined, failure: undefined, isLoading: false, path: undefined }

function afterResult<Value>(path: string, before: ResourceState<Value>, result: Result<Value>): ResourceState<Value> {
  if (result.kind === 'ok') return { value: result.value, failure: undefined, isLoading: false, path }
  const value = before.path === path ? before.value : undefined
  return { value, failure: result.failure, isLoading: false, path }
}

/** A list that is read page by page. Only one page is held: a ledger of any size costs the same. */
export type Paged<Item> = Resource<Page<Item>> & {
  readonly isFirst: boolean
  readonly older: (() => void) | undefined
  readonly newer: (() => void) | undefined
  readonly toFirst: () => void
}

/** `address` makes the path for a cursor; `key` is what it stands for, and a new one begins at the first page. */
export function usePaged<Item>(key: string, address: (cursor: string | undefined) => string | undefined): Paged<Item> {
  const [trail, setTrail] = useState<{ readonly key: string; readonly cursors: readonly string[] }>({
    key,
    cursors: [],
  })
  const cursors = trail.key === key ? trail.cursors : []
  const page = useResource<Page<Item>>(address(cursors.at(-1)))
  const next = page.value?.next ?? undefined
  return {
    ...page,
    isFirst: cursors.length === 0,
    older: next === undefined ? undefined : () => setTrail({ key, cursors: [...cursors, next] }),
    newer: cursors.length === 0 ? undefined : () => setTrail({ key, cursors: cursors.slice(0, -1) }),
    toFirst: () => setTrail({ key, cursors: [] }),
  }
}

/** Something that is done by the reader: at most once at a time, with its failure to show. */
export type Action = {
  readonly isRunning: boolean
  readonly failure: Failure | undefined
  readonly clear: () => void
  readonly run: <Value>(call: ActionCall<Value>) => Promise<Value | undefined>
}

export type ActionCall<Value> = {
  readonly method: Method
  readonly path: string
  readonly body?: unknown
  readonly onDone?: (value: Value) => void
}

export function useAction(): Action {
  const { api } = useApp()
  const [state, setState] = useState<Pick<Action, 'isRunning' | 'failure'>>({ isRunning: false, failure: undefined })
  const isBusy = useRef(false)

  async function run<Value>({ method, path, body, onDone }: ActionCall<Value>): Promise<Value | undefined> {
    if (isBusy.current) return undefined
    isBusy.current = true
    setState({ isRunning: true, failure: undefined })
    const result = await api.call<Value>(method, path, body === undefined ? {} : { body })
    isBusy.current = false
    setState({ isRunning: false, failure: result.kind === 'failed' ? result.failure : undefined })
    if (result.kind === 'failed') return undefined
    onDone?.(result.value)
    return result.value
  }
  return { ...state, run, clear: () => setState({ isRunning: false, failure: undefined }) }
}

/** Calls back while the page is looked at. */
function useInterval(callback: () => void, seconds: number | undefined): void {
  const latest = useRef(callback)
  latest.current = callback
  useEffect(() => {
    if (seconds === undefined) return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current()
    }, seconds * 1_000)
    return () => clearInterval(timer)
  }, [seconds])
}

export function useLive(listener: (event: LiveEvent) => void): void {
  const { live } = useApp()
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => live.subscribe((event) => latest.current(event)), [live])
}

/** Calls back soon after something happened, and once for many: a burst of events does not become a burst of requests. */
export function useLiveRefresh(isOf: (event: LiveEvent) => boolean, refresh: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const latest = useRef(refresh)
  latest.current = refresh
  useLive((event) => {
    if (timer.current !== undefined || !(event.kind === 'gap' || isOf(event))) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, 400)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
}

export function useLiveState(): LiveState {
  const { live } = useApp()
  const [state, setState] = useState(live.state())
  useEffect(() => {
    setState(live.state())
    return live.watch(setState)
  }, [live])
  return state
}
