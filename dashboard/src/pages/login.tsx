import { useState } from 'preact/hooks'
import type { Api, Failure } from '../api/client.ts'
import type { Session } from '../api/types.ts'
import { Button, TextField } from '../ui/basics.tsx'
import { Problem } from '../ui/states.tsx'

type LoginProps = { readonly api: Api; readonly session: Session; readonly onLogin: (session: Session) => void }

/** A token of the configuration becomes a session. The token itself is not kept. */
export function Login({ api, session, onLogin }: LoginProps) {
  const [token, setToken] = useState('')
  const [failure, setFailure] = useState<Failure | undefined>(undefined)
  const [isRunning, setRunning] = useState(false)

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    setRunning(true)
    const result = await api.call<Session>('POST', 'session', { body: { token: token.trim() } })
    setRunning(false)
    if (result.kind === 'failed') return setFailure(result.failure)
    setToken('')
    onLogin({ ...session, ...result.value })
  }
  return (
    <main class="login">
      <div>
        <div class="brand">
          <img src="./icon.svg" alt="" />
          Oncehook
        </div>
        <form class="card" onSubmit={(event) => void submit(event)}>
          <div class="inner stack">
            <h1>Log in</h1>
            <p class="muted">
              With one of the tokens of this gateway's configuration, under <code>admin.tokens</code>.
            </p>
            <TextField label="Token" type="password" value={token} onText={setToken} autoFocus required />
            <Problem failure={failure} />
            <Button type="submit" look="main-action" icon="key" disabled={isRunning || token.trim() === ''}>
              Log in
            </Button>
          </div>
        </form>
      </div>
    </main>
  )
}
