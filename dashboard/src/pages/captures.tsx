import { useState } from 'preact/hooks'
import { useAction, useLiveRefresh, useMay, useResource } from '../api/hooks.ts'
import type { CaptureEndpoint } from '../api/tool-types.ts'
import { many } from '../logic/format.ts'
import { linkTo } from '../logic/route.ts'
import { Button, Foreign, Ident, TextField, Time } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Await, Empty, Problem } from '../ui/states.tsx'
import { goTo } from '../ui/use-route.ts'

/** Addresses that take any request whole. */
export function Captures() {
  const endpoints = useResource<{ readonly items: readonly CaptureEndpoint[] }>('capture-endpoints')
  const [isMaking, setMaking] = useState(false)
  const mayMake = useMay('operator')
  useLiveRefresh(({ kind }) => kind === 'capture', endpoints.reload)
  return (
    <>
      <PageHead
        title="Captures"
        lead="An address that takes any request whole, and answers as you say: to see what a sender really sends, and what it does with a 500."
      >
        {mayMake && (
          <Button look="main-action" icon="plus" onClick={() => setMaking(true)}>
            New endpoint
          </Button>
        )}
      </PageHead>
      <section class="card" aria-label="Capture endpoints">
        <Await resource={endpoints}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No endpoints yet">
                <p>Make one, and send anything to it.</p>
              </Empty>
            ) : (
              <table class="stacking">
                <thead>
                  <tr>
                    <th>Name</th>
                    <th>Address</th>
                    <th class="end">Captured</th>
                    <th class="end">Last</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((endpoint) => (
                    <tr key={endpoint.name}>
                      <td>
                        <a href={linkTo(['captures', endpoint.name])}>
                          <Foreign text={endpoint.name} />
                        </a>
                        {endpoint.note != null && endpoint.note !== '' && (
                          <p class="small muted">
                            <Foreign text={endpoint.note} />
                          </p>
                        )}
                      </td>
                      <td>
                        <Ident text={endpoint.url ?? `/capture/${endpoint.name}`} label="Address" />
                      </td>
                      <td class="end number">{many(endpoint.captures, 'request')}</td>
                      <td class="end muted">{endpoint.lastAt == null ? 'never' : <Time at={endpoint.lastAt} />}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </Await>
      </section>
      {isMaking && <NewEndpoint onClose={() => setMaking(false)} />}
    </>
  )
}

function NewEndpoint({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('')
  const [note, setNote] = useState('')
  const action = useAction()
  const submit = (event: Event): void => {
    event.preventDefault()
    void action.run({
      method: 'POST',
      path: 'capture-endpoints',
      body: { name: name.trim(), ...(note.trim() === '' ? {} : { note: note.trim() }) },
      onDone: () => goTo(['captures', name.trim()]),
    })
  }
  return (
    <Dialog title="New capture endpoint" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField
          label="Name"
          hint="It becomes part of the address."
          value={name}
          onText={setName}
          required
          maxLength={64}
        />
        <TextField label="Note" value={note} onText={setNote} maxLength={500} placeholder="what it is for" />
        <Problem failure={action.failure} />
        <div class="row end-row">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main-action" disabled={action.isRunning || name.trim() === ''}>
            Make it
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
