import { useState } from 'preact/hooks'
import { apiPath } from '../api/client.ts'
import { useApp, useLiveRefresh, useMay, useResource } from '../api/hooks.ts'
import type { Receipt, StoredBody, TimelineEntry } from '../api/types.ts'
import { words } from '../logic/format.ts'
import { linkTo } from '../logic/route.ts'
import { CompareWith } from '../parts/compare-with.tsx'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { ReplayDialog } from '../parts/replay-dialog.tsx'
import { TargetReplayDialog } from '../parts/target-replay-dialog.tsx'
import { Timeline } from '../parts/timeline.tsx'
import { Button, Card, Fact, Facts, Foreign, Ident, StatusBadge, Time } from '../ui/basics.tsx'
import { BodyView, HeaderTable } from '../ui/body-view.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Await } from '../ui/states.tsx'

const crumb = { href: linkTo(['events']), name: 'Events' }

/** Everything about one event: what it is, what came, and what it did. */
export function ReceiptPage({ id }: { readonly id: string }) {
  const receipt = useResource<Receipt>(apiPath(['receipts', id]))
  const timeline = useResource<{ readonly items: readonly TimelineEntry[] }>(apiPath(['receipts', id, 'timeline']))
  const body = useResource<StoredBody>(apiPath(['receipts', id, 'body']))
  const reload = (): void => {
    receipt.reload()
    timeline.reload()
  }
  useLiveRefresh((event) => event.receiptId === id || event.eventId === receipt.value?.eventId, reload)
  return (
    <>
      {receipt.value === undefined ? (
        <PageHead title={`Receipt ${id}`} crumb={crumb} />
      ) : (
        <ReceiptHead receipt={receipt.value} onChange={reload} />
      )}
      <div class="stack">
        <Await resource={receipt}>{(value) => <ReceiptFacts receipt={value} />}</Await>
        {receipt.failure?.kind !== 'missing' && (
          <div class="columns">
            <Card title="Timeline">
              <Await resource={timeline}>{({ items }) => <Timeline entries={items} />}</Await>
            </Card>
            <div class="stack">
              <Card title="Body">
                <Await resource={body}>
                  {(value) => (
                    <div class="stack">
                      {value.redacted.length > 0 && (
                        <p class="note warn small">
                          Left out before it was stored: <Foreign text={value.redacted.join(', ')} />
                        </p>
                      )}
                      <BodyView body={value} />
                    </div>
                  )}
                </Await>
              </Card>
              {body.value !== undefined && (
                <Card title="Headers" isFlush>
                  <div class="inner">
                    <HeaderTable headers={body.value.headers} />
                  </div>
                </Card>
              )}
            </div>
          </div>
        )}
      </div>
    </>
  )
}

type Doing = 'replay' | 'target' | 'hold' | 'compare'

function ReceiptHead({ receipt, onChange }: { readonly receipt: Receipt; readonly onChange: () => void }) {
  // Comparing, and sending to any address, come with captures.
  const { features } = useApp().session
  const [doing, setDoing] = useState<Doing | undefined>(undefined)
  const mayAct = useMay('operator')
  const isHeld = receipt.heldAt != null
  const close = (): void => setDoing(undefined)
  return (
    <>
      <PageHead
        title={<Foreign text={receipt.type} />}
        crumb={crumb}
        beside={
          <>
            <StatusBadge status={receipt.status} />
            {isHeld && <span class="badge busy">held</span>}
          </>
        }
      >
        {features.captures && (
          <Button icon="compare" onClick={() => setDoing('compare')}>
            Compare…
          </Button>
        )}
        {mayAct && (
          <>
            <Button icon="hold" onClick={() => setDoing('hold')}>
              {isHeld ? 'Release…' : 'Hold…'}
            </Button>
            {features.captures && (
              <Button icon="outbox" onClick={() => setDoing('target')}>
                Send elsewhere…
              </Button>
            )}
            <Button look="main-action" icon="replay" onClick={() => setDoing('replay')}>
              Replay…
            </Button>
          </>
        )}
      </PageHead>
      {doing === 'replay' && (
        <ReplayDialog selection={{ ids: [receipt.id] }} count={1} onClose={close} onDone={onChange} />
      )}
      {doing === 'target' && <TargetReplayDialog from={{ kind: 'receipt', id: receipt.id }} onClose={close} />}
      {doing === 'compare' && <CompareWith receipt={receipt} onClose={close} />}
      {doing === 'hold' && (
        <ReasonDialog
          title={isHeld ? 'Release this event' : 'Hold this event'}
          text={
            isHeld
              ? 'It goes when its days are over, as all others do.'
              : 'It stays, with its body and its log, however old it gets.'
          }
          button={isHeld ? 'Release' : 'Hold'}
          path={isHeld ? 'receipts/release' : 'receipts/hold'}
          body={{ ids: [receipt.id] }}
          onClose={close}
          onDone={onChange}
        />
      )}
    </>
  )
}

function ReceiptFacts({ receipt }: { readonly receipt: Receipt }) {
  const { source, objectId, deliveryId, repeatsEventId, nextAttemptAt, secretIndex } = receipt
  return (
    <section class="card" aria-label="Facts">
      <div class="inner stack">
        <Facts>
          <Fact name="Event id">
            <Ident text={receipt.eventId} label="Event id" />
          </Fact>
          <Fact name="Receipt">
            <Ident text={receipt.id} label="Receipt id" />
          </Fact>
          <Fact name="Source">
            <a href={linkTo(['sources', source])}>
              <Foreign text={source} />
            </a>
          </Fact>
          {objectId != null && (
            <Fact name="Object">
              <a href={linkTo(['events'], { source, objectId })} title="All events of this object">
                <Foreign text={objectId} />
              </a>
            </Fact>
          )}
          {deliveryId != null && (
            <Fact name="First delivery">
              <Ident text={deliveryId} label="Delivery id" />
            </Fact>
          )}
          <Fact name="Received">
            <Time at={receipt.receivedAt} />
          </Fact>
          {receipt.occurredAt != null && (
            <Fact name="Happened">
              <Time at={receipt.occurredAt} />
            </Fact>
          )}
          <Fact name="Delivered">{receipt.deliveries === 1 ? 'once' : `${receipt.deliveries} times, one effect`}</Fact>
          <Fact name="Attempts">
            {receipt.attempts}
            {nextAttemptAt != null && (
              <>
                , next <Time at={nextAttemptAt} />
              </>
            )}
          </Fact>
          {secretIndex != null && <Fact name="Verified by">secret {secretIndex + 1}</Fact>}
          {receipt.origin !== 'webhook' && <Fact name="Origin">{words(receipt.origin)}</Fact>}
          {repeatsEventId != null && (
            <Fact name="Same signed body as">
              <a href={linkTo(['events'], { source, q: repeatsEventId })}>
                <Foreign text={repeatsEventId} />
              </a>
            </Fact>
          )}
        </Facts>
        {receipt.lastError != null && receipt.status !== 'processed' && (
          <p class="problem">
            <Foreign text={receipt.lastError} />
          </p>
        )}
      </div>
    </section>
  )
}
