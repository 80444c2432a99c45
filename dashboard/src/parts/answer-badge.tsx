import type { CaptureAnswer } from '../api/tool-types.ts'
import { Foreign, HttpBadge } from '../ui/basics.tsx'

/** What the sender got, and from where. */
export function AnswerBadge({ answer }: { readonly answer: CaptureAnswer }) {
  const { kind = 'sent', status, origin, rule } = answer
  return (
    <span class="row wrap">
      {kind === 'sent' ? <HttpBadge status={status ?? 0} /> : <span class="badge square bad">{kind}</span>}
      {origin !== 'default' && (
        <span class="small muted">
          <Foreign text={rule ?? origin} />
        </span>
      )}
    </span>
  )
}
