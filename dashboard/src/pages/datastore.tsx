import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useMay, usePaged } from '../api/hooks.ts'
import type { Namespace, StoredValue } from '../api/tool-types.ts'
import { formatCount } from '../logic/format.ts'
import { linkTo, type Route } from '../logic/route.ts'
import { ValueDialog } from '../parts/value-dialog.tsx'
import { Button, Foreign, TextField, Time } from '../ui/basics.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Pager } from '../ui/pager.tsx'
import { Await, Empty } from '../ui/states.tsx'
import { replaceQuery } from '../ui/use-route.ts'

type DatastoreProps = { readonly namespace: string | undefined; readonly route: Route }

/** Small values that handlers and automations keep. */
export function Datastore({ namespace, route }: DatastoreProps) {
  return namespace === undefined ? <Namespaces /> : <Values namespace={namespace} route={route} />
}

type Editing = { readonly namespace: string; readonly value?: StoredValue }

function Namespaces() {
  const page = usePaged<Namespace>('namespaces', (cursor) => apiPath(['datastore'], { cursor }))
  const [editing, setEditing] = useState<Editing | undefined>(undefined)
  const mayEdit = useMay('operator')
  return (
    <>
      <PageHead title="Datastore" lead="Small JSON values by namespace and key, for handlers, automations and you.">
        {mayEdit && (
          <Button look="main-action" icon="plus" onClick={() => setEditing({ namespace: '' })}>
            New value
          </Button>
        )}
      </PageHead>
      <section class="card" aria-label="Namespaces">
        <Await resource={page}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="Nothing is stored">
                <p>A namespace is there as soon as it has a value.</p>
              </Empty>
            ) : (
              <table>
                <thead>
                  <tr>
                    <th>Namespace</th>
                    <th class="end">Keys</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map(({ namespace, keys, hasMoreKeys }) => (
                    <tr key={namespace}>
                      <td>
                        <a href={linkTo(['datastore', namespace])}>
                          <Foreign text={namespace} />
                        </a>
                      </td>
                      <td class="end number">
                        {formatCount(keys)}
                        {hasMoreKeys === true && '+'}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </Await>
        <Pager paged={page} />
      </section>
      {editing !== undefined && <ValueDialog {...editing} onClose={() => setEditing(undefined)} onDone={page.reload} />}
    </>
  )
}

function Values({ namespace, route }: { readonly namespace: string; readonly route: Route }) {
  const prefix = route.query.get('prefix')
  const page = usePaged<StoredValue>(prefix ?? '', (cursor) => apiPath(['datastore', namespace], { prefix, cursor }))
  const [editing, setEditing] = useState<Editing | undefined>(undefined)
  const [text, setText] = useState(prefix ?? '')
  const mayEdit = useMay('operator')
  return (
    <>
      <PageHead title={<Foreign text={namespace} />} crumb={{ href: linkTo(['datastore']), name: 'Datastore' }}>
        {mayEdit && (
          <Button look="main-action" icon="plus" onClick={() => setEditing({ namespace })}>
            New value
          </Button>
        )}
      </PageHead>
      <div class="filters">
        <TextField
          label="Keys that begin with"
          type="search"
          value={text}
          onText={setText}
          onChange={() => replaceQuery(route, { prefix: text })}
        />
      </div>
      <section class="card" aria-label="Values">
        <Await resource={page}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title="No values here" />
            ) : (
              <table class="stacking">
                <thead>
                  <tr>
                    <th>Key</th>
                    <th>Value</th>
                    <th class="end">Version</th>
                    <th class="end">Changed</th>
                    <th class="end">Gone</th>
                  </tr>
                </thead>
                <tbody>
                  {items.map((value) => (
                    <tr key={value.key}>
                      <td class="mono">
                        <button type="button" class="link" onClick={() => setEditing({ namespace, value })}>
                          <Foreign text={value.key} />
                        </button>
                      </td>
                      <td class="mono id">
                        <Foreign text={JSON.stringify(value.value).slice(0, 120)} />
                      </td>
                      <td class="end number muted" data-label="version">
                        {value.version}
                      </td>
                      <td class="end muted" data-label="changed">
                        <Time at={value.updatedAt} />
                      </td>
                      <td class="end muted" data-label="gone">
                        {value.expiresAt == null ? 'never' : <Time at={value.expiresAt} />}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </Await>
        <Pager paged={page} />
      </section>
      {editing !== undefined && <ValueDialog {...editing} onClose={() => setEditing(undefined)} onDone={page.reload} />}
    </>
  )
}
