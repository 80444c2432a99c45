import { useState } from 'preact/hooks'
import { useAction } from '../api/hooks.ts'
import type { Capture, ReplayResult, SentReplay } from '../api/tool-types.ts'
import type { HeaderList } from '../api/types.ts'
import { formatDuration } from '../logic/format.ts'
import { printableLines } from '../logic/printable.ts'
import { Button, Check, Choice, Foreign, HttpBadge, TextArea, TextField } from '../ui/basics.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Problem } from '../ui/states.tsx'

export type TargetReplayProps = {
  readonly from: { readonly kind: 'capture' | 'receipt'; readonly id: string }
  /** What can be edited before it is sent. */
  readonly request?: Pick<Capture, 'method' | 'headers' | 'text'>
  readonly onClose: () => void
}

/** Sends a request to any allowed address: as it came or edited, once or many times. */
export function TargetReplayDialog({ from, request, onClose }: TargetReplayProps) {
  const [target, setTarget] = useState('')
  const [times, setTimes] = useState('1')
  const [isParallel, setParallel] = useState(false)
  const [signature, setSignature] = useState<Signature>('usual')
  const [provider, setProvider] = useState('')
  const [why, setWhy] = useState('')
  const [isEdited, setEdited] = useState(false)
  const [method, setMethod] = useState(request?.method ?? 'POST')
  const [headers, setHeaders] = useState(() => headerLines(request?.headers ?? []))
  const [body, setBody] = useState(request?.text ?? '')
  const [sent, setSent] = useState<SentReplay | undefined>(undefined)
  const action = useAction()
  const submit = (event: Event): void => {
    event.preventDefault()
    void action.run<SentReplay>({
      method: 'POST',
      path: 'replays',
      body: {
        from,
        target: target.trim(),
        times: Number(times),
        isParallel,
        edit: isEdited ? { method, headers: readHeaders(headers), body } : null,
        ...signOf(signature, provider),
        why: why.trim(),
      },
      onDone: setSent,
    })
  }
  return (
    <Dialog title={sent === undefined ? 'Send to a target' : 'What the target answered'} onClose={onClose} isWide>
      {sent === undefined ? (
        <form class="stack" onSubmit={submit}>
          <TextField
            label="Target"
            value={target}
            onText={setTarget}
            required
            placeholder="https://staging.example.com/webhooks"
            hint="Or /in/<source> or /capture/<name> of this gateway. Private addresses are refused unless the configuration allows them."
          />
          <div class="form-row wide">
            <TextField label="Times" type="number" min={1} max={100} value={times} onText={setTimes} required />
            <Choice
              label="Signature"
              value={signature}
              choices={[
                ['usual', from.kind === 'receipt' ? 'Anew, as its source signs' : 'As it came'],
                ['provider', 'Anew, for a provider'],
                ['none', 'None'],
              ]}
              onChoice={(one) => setSignature(one as Signature)}
            />
            {signature === 'provider' && (
              <TextField label="Provider" value={provider} onText={setProvider} required placeholder="stripe" />
            )}
          </div>
          <div class="row wrap">
            <Check label="All at the same moment" isOn={isParallel} onTurn={setParallel} />
            {request !== undefined && <Check label="Edit it first" isOn={isEdited} onTurn={setEdited} />}
          </div>
          {isEdited && (
            <>
              <TextField label="Method" value={method} onText={setMethod} />
              <TextArea label="Headers" value={headers} onText={setHeaders} rows={5} />
              <TextArea label="Body" value={body} onText={setBody} rows={8} />
            </>
          )}
          <TextField label="Why (kept in the audit log)" value={why} onText={setWhy} required maxLength={500} />
          <Problem failure={action.failure} />
          <div class="row end-row">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="main-action" icon="replay" disabled={action.isRunning || why.trim() === ''}>
              Send
            </Button>
          </div>
        </form>
      ) : (
        <>
          <Results results={sent.results} />
          <div class="row end-row">
            <Button onClick={() => setSent(undefined)}>Send again</Button>
            <Button look="main-action" onClick={onClose}>
              Done
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}

type Signature = 'usual' | 'provider' | 'none'

function signOf(signature: Signature, provider: string): { readonly sign?: { readonly provider: string } | null } {
  if (signature === 'usual') return {}
  return { sign: signature === 'none' ? null : { provider: provider.trim() } }
}

/** Side by side, so that a difference is seen. */
function Results({ results }: { readonly results: readonly ReplayResult[] }) {
  return (
    <div class="side-by-side" role="group" aria-label="Results">
      {results.map((result) => (
        <div class="card inner-card" key={result.attempt}>
          <div class="row">
            <strong class="grow">No. {result.attempt}</strong>
            <HttpBadge status={result.status ?? 0} />
          </div>
          <p class="small muted">{formatDuration(result.tookMilliseconds)}</p>
          {result.error != null && (
            <p class="small error-line">
              <Foreign text={result.error} />
            </p>
          )}
          {result.text != null && result.text !== '' && (
            <pre class="block">{printableLines(result.text.slice(0, 2_000))}</pre>
          )}
        </div>
      ))}
    </div>
  )
}

function headerLines(headers: HeaderList): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n')
}

function readHeaders(text: string): HeaderList {
  return text.split('\n').flatMap((line) => {
    const [, name = '', value = ''] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line) ?? []
    return name === '' ? [] : [[name, value] as const]
  })
}
