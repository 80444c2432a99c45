import { apiPath } from '../api/client.ts'
import { useMay, usePaged } from '../api/hooks.ts'
import type { AuditEntry } from '../api/types.ts'
import { formatTime } from '../logic/format.ts'
import { Foreign, StatusBadge } from '../ui/basics.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Pager } from '../ui/pager.tsx'
import { Await, Empty } from '../ui/states.tsx'

/** Who changed what, and why. */
export function Audit() {
  const mayRead = useMay('admin')
  const page = usePaged<AuditEntry>('audit', (cursor) => (mayRead ? apiPath(['audit'], { cursor }) : undefined))
  return (
    <>
      <PageHead
        title="Audit log"
        lead="Every replay, edit and setting: who, when, on what, and why. Nothing here can be changed."
      />
      <section class="card" aria-label="Audit log">
        {mayRead ? (
          <Await resource={page}>
            {({ items }) =>
              items.length === 0 ? <Empty title="Nothing was changed yet" /> : <AuditTable entries={items} />
            }
          </Await>
        ) : (
          <Empty title="Not for your role">
            <p>Only admins read the audit log.</p>
          </Empty>
        )}
        <Pager paged={page} />
      </section>
    </>
  )
}

function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <table class="stacking">
      <thead>
        <tr>
          <th>When</th>
          <th>Who</th>
          <th>What</th>
          <th>On what</th>
          <th>Why</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td class="number muted">{formatTime(entry.at).slice(0, 19)}</td>
            <td>
              <Foreign text={entry.by} />
              {entry.role != null && <span class="small muted"> {entry.role}</span>}
            </td>
            <td class="mono">
              <Foreign text={entry.action} /> {entry.outcome !== 'done' && <StatusBadge status={entry.outcome} />}
            </td>
            <td class="mono id">
              <Foreign text={entry.target ?? '–'} />
              {entry.detail != null && (
                <details class="small">
                  <summary>Outcome</summary>
                  <code>
                    <Foreign text={JSON.stringify(entry.detail).slice(0, 2_000)} />
                  </code>
                </details>
              )}
            </td>
            <td class="optional">{entry.why != null && <Foreign text={entry.why} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
