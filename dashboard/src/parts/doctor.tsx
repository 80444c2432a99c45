import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useAction } from '../api/hooks.ts'
import type { Diagnosis, Source } from '../api/types.ts'
import { words } from '../logic/format.ts'
import { readPastedRequest } from '../logic/pasted-request.ts'
import { Button, Card, Check, Foreign, StatusBadge, TextArea } from '../ui/basics.tsx'
import { Problem } from '../ui/states.tsx'

/** Says why a request is refused, without taking it. */
export function Doctor({ source }: { readonly source: Source }) {
  const [text, setText] = useState('')
  const [isNewlineKept, setNewlineKept] = useState(false)
  const [diagnosis, setDiagnosis] = useState<Diagnosis | undefined>(undefined)
  const action = useAction()
  const request = readPastedRequest(text)
  const body = isNewlineKept ? request.body : request.body.replace(/\r?\n$/, '')
  const ask = (): void => {
    setDiagnosis(undefined)
    const { method, headers } = request
    const url = request.url ?? source.url ?? new URL(`/in/${source.name}`, location.origin).href
    void action.run<Diagnosis>({
      method: 'POST',
      path: apiPath(['sources', source.name, 'diagnose']),
      body: { method, url, headers, body },
      onDone: setDiagnosis,
    })
  }
  return (
    <Card title="Verification doctor">
      <div class="stack">
        <p class="muted">
          Paste a request that was refused: its headers, an empty line, its body. Nothing is recorded, and no secret is
          shown.
        </p>
        <TextArea
          label="Request"
          value={text}
          onText={setText}
          rows={9}
          placeholder={`POST /in/${source.name} HTTP/1.1\nhost: hooks.example.com\ncontent-type: application/json\n…\n\n{"id":"…"}`}
        />
        <div class="row wrap">
          <Check label="The last line break belongs to the body" isOn={isNewlineKept} onTurn={setNewlineKept} />
          <span class="grow small muted">
            {text !== '' && `${request.headers.length} headers, ${new TextEncoder().encode(body).length} bytes of body`}
          </span>
          <Button look="main-action" disabled={action.isRunning || text.trim() === ''} onClick={ask}>
            Examine
          </Button>
        </div>
        <Problem failure={action.failure} />
        {diagnosis !== undefined && (
          <div class="diagnosis" role="status">
            <div class="row wrap">
              <StatusBadge status={diagnosis.verdict} />
              {diagnosis.reason != null && <span>{words(diagnosis.reason)}</span>}
            </div>
            <p>
              {diagnosis.hint == null ? (
                diagnosis.verdict === 'authentic' ? (
                  `It is authentic: it would be taken as ${(diagnosis.events ?? []).map(({ id, type }) => `${type} ${id}`).join(', ')}.`
                ) : (
                  'No likely cause was found: the secret may be of another endpoint, or the body was changed on the way.'
                )
              ) : (
                <Foreign text={diagnosis.hint} />
              )}
            </p>
          </div>
        )}
      </div>
    </Card>
  )
}
