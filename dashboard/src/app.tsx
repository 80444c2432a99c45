import { useEffect, useMemo, useState } from 'preact/hooks'
import { apiBase, createApi, type Failure } from './api/client.ts'
import { AppContext } from './api/hooks.ts'
import { openLive } from './api/live.ts'
import type { Session } from './api/types.ts'
import { Login } from './pages/login.tsx'
import { Shell } from './shell.tsx'
import { Failed, Waiting } from './ui/states.tsx'
import { Toasts } from './ui/toasts.tsx'

/** Who is there decides what is shown: the pages, the login, or that nobody answers. */
export function App() {
  const api = useMemo(() => createApi(), [])
  const [session, setSession] = useState<Session | undefined>(undefined)
  const [failure, setFailure] = useState<Failure | undefined>(undefined)

  const ask = async (): Promise<void> => {
    const result = await api.call<Session>('GET', 'session')
    if (result.kind === 'failed') return setFailure(result.failure)
    take(result.value)
  }
  const take = (taken: Session): void => {
    api.setCsrf(taken.csrf ?? undefined)
    setFailure(undefined)
    setSession(taken)
  }
  const logOut = async (): Promise<void> => {
    await api.call('DELETE', 'session')
    await ask()
  }
  useEffect(() => {
    api.onLoginNeeded(() => void ask())
    void ask()
  }, [api])

  return (
    <>
      {session === undefined ? (
        <div class="login">
          {failure === undefined ? <Waiting /> : <Failed failure={failure} retry={() => void ask()} />}
        </div>
      ) : isIn(session) ? (
        <LoggedIn api={api} session={session} logOut={() => void logOut()} />
      ) : (
        <Login api={api} session={session} onLogin={take} />
      )}
      <Toasts />
    </>
  )
}

function isIn({ role }: Session): boolean {
  return role !== undefined && role !== null
}

type LoggedInProps = {
  readonly api: ReturnType<typeof createApi>
  readonly session: Session
  readonly logOut: () => void
}

function LoggedIn({ api, session, logOut }: LoggedInProps) {
  const live = useMemo(() => openLive(new URL('live', apiBase())), [session.name, session.role])
  useEffect(() => () => live.close(), [live])
  const parts = useMemo(() => ({ api, live, session, logOut }), [api, live, session])
  return (
    <AppContext.Provider value={parts}>
      <Shell />
    </AppContext.Provider>
  )
}
