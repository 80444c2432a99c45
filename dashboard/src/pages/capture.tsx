import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useMay, useResource } from '../api/hooks.ts'
import type { Capture } from '../api/tool-types.ts'
import { formatDuration, words } from '../logic/format.ts'
import { printableLines } from '../logic/printable.ts'
import { linkTo } from '../logic/route.ts'
import { AnswerBadge } from '../parts/answer-badge.tsx'
import { CaseDialog } from '../parts/case-dialog.tsx'
import { ConfirmDialog } from '../parts/reason-dialog.tsx'
import { TargetReplayDialog } from '../parts/target-replay-dialog.tsx'
import { Button, Card, Fact, Facts, Foreign, Ident, Time } from '../ui/basics.tsx'
import { BodyView, HeaderTable } from '../ui/body-view.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Await } from '../ui/states.tsx'
import { goTo } from '../ui/use-route.ts'

type Doing = 'replay' | 'case' | 'delete'

/** One request as it came, and the answer that it got. */
export function CapturePage({ endpoint, id }: { readonly endpoint: string; readonly id: string }) {
  const capture = useResource<Capture>(apiPath(['captures', id]))
  const [doing, setDoing] = useState<Doing | undefined>(undefined)
  const mayAct = useMay('operator')
  const close = (): void => setDoing(undefined)
  const title = capture.value === undefined ? `Request ${id}` : `${capture.value.method} ${capture.value.path || '/'}`
  return (
    <>
      <PageHead
        title={<Foreign text={title} />}
        crumb={{ href: linkTo(['captures', endpoint]), name: endpoint }}
        beside={capture.value !== undefined && <AnswerBadge answer={capture.value.answer} />}
      >
        {mayAct && capture.value !== undefined && (
          <>
            <Button icon="trash" name="Delete the request" onClick={() => setDoing('delete')} />
            <Button onClick={() => setDoing('case')}>Save as case…</Button>
            <Button look="main-action" icon="replay" onClick={() => setDoing('replay')}>
              Replay…
            </Button>
          </>
        )}
      </PageHead>
      <Await resource={capture}>{(value) => <CaptureParts capture={value} />}</Await>
      {doing === 'replay' && (
        <TargetReplayDialog
          from={{ kind: 'capture', id }}
          {...(capture.value === undefined ? {} : { request: capture.value })}
          onClose={close}
        />
      )}
      {doing === 'case' && <CaseDialog captureId={id} onClose={close} />}
      {doing === 'delete' && (
        <ConfirmDialog
          title="Delete the request"
          text="It is deleted with its body."
          button="Delete"
          method="DELETE"
          path={apiPath(['captures', id])}
          onClose={close}
          onDone={() => goTo(['captures', endpoint])}
        />
      )}
    </>
  )
}

function CaptureParts({ capture }: { readonly capture: Capture }) {
  const { identity, answer, query } = capture
  return (
    <div class="stack">
      <section class="card" aria-label="Facts">
        <div class="inner">
          <Facts>
            <Fact name="Came">
              <Time at={capture.at} />
            </Fact>
            <Fact name="From">
              <Foreign text={capture.remoteAddress ?? 'unknown'} />
            </Fact>
            <Fact name="Took">{formatDuration(capture.tookMilliseconds)}</Fact>
            {query !== '' && (
              <Fact name="Query">
                <code>
                  <Foreign text={query} />
                </code>
              </Fact>
            )}
            {identity != null && (
              <>
                <Fact name="Recognised as">
                  {identity.provider} · <Foreign text={identity.type} />
                </Fact>
                <Fact name="Event id">
                  <Ident text={identity.eventId} label="Event id" />
                </Fact>
              </>
            )}
          </Facts>
        </div>
      </section>
      <div class="columns">
        <Card title="Body">
          {capture.problem != null && <p class="note warn">It could not be taken whole: {words(capture.problem)}.</p>}
          <BodyView
            body={{
              bytes: capture.bytes,
              text: capture.text ?? null,
              base64: capture.base64 ?? null,
              isTruncated: capture.isTruncated === true,
            }}
          />
        </Card>
        <div class="stack">
          <Card title="Headers">
            <HeaderTable headers={capture.headers} />
          </Card>
          <Card title="Answer" actions={<AnswerBadge answer={answer} />}>
            <div class="stack">
              <p class="muted small">
                {answer.origin === 'default' ? (
                  'The default answer.'
                ) : (
                  <>
                    By the {answer.origin} <Foreign text={answer.rule ?? ''} />.
                  </>
                )}
              </p>
              {answer.headers !== undefined && answer.headers.length > 0 && <HeaderTable headers={answer.headers} />}
              {answer.text != null && answer.text !== '' && <pre class="block">{printableLines(answer.text)}</pre>}
            </div>
          </Card>
        </div>
      </div>
    </div>
  )
}
