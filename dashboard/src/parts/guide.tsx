import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useAction, useLive, useMay, useResource } from '../api/hooks.ts'
import { many } from '../logic/format.ts'
import {
  doneSteps,
  freshGuide,
  type GuideMemory,
  guideAfter,
  readGuide,
  type StepName,
  seenOf,
} from '../logic/guide.ts'
import { linkTo } from '../logic/route.ts'
import { Button } from '../ui/basics.tsx'
import { Icon } from '../ui/icons.tsx'
import { Problem } from '../ui/states.tsx'
import { ReplayDialog } from './replay-dialog.tsx'

type GuideState = { readonly isHandlerBroken: boolean }
type Sent = { readonly eventId: string; readonly statuses: readonly number[] }

const place = 'oncehook.guide'
const copies = 5

const titles: Readonly<Record<StepName, string>> = {
  send: 'Send a webhook',
  see: 'See it take effect',
  again: 'Send it again, five times at once',
  break: 'Break the handler',
  retry: 'Send another, and see it retried',
  dead: 'See it become a dead letter',
  fix: 'Mend the handler',
  replay: 'Replay it',
}
const names = Object.keys(titles) as readonly StepName[]

/** The first five minutes: each step is ticked off by what really happens. */
export function Guide() {
  const [memory, setMemory] = useState(stored)
  const [isReplaying, setReplaying] = useState(false)
  const state = useResource<GuideState>('guide')
  const mayAct = useMay('operator')
  const action = useAction()
  const change = (step: (before: GuideMemory) => GuideMemory): void => setMemory((before) => step(before))
  useLive((event) => change((before) => guideAfter(before, event)))
  useEffect(() => store(memory), [memory])

  const done = doneSteps(memory)
  const current = names.find((name) => !done.includes(name))
  const first = seenOf(memory, memory.first)
  const second = seenOf(memory, memory.second)
  const isBroken = state.value?.isHandlerBroken === true

  const send = (body: { copies: number; isParallel: boolean; isRepeat: boolean }, onDone: (sent: Sent) => void): void =>
    void action.run<Sent>({ method: 'POST', path: 'guide/send', body: { ...body, isForged: false }, onDone })
  const turnHandler = (isBrokenThen: boolean): void =>
    void action.run({
      method: 'POST',
      path: 'guide/handler',
      body: { isBroken: isBrokenThen },
      onDone: () => {
        state.reload()
        change((before) => (isBrokenThen ? { ...before, wasBroken: true } : { ...before, wasFixed: true }))
      },
    })
  const begin = (): void => {
    setMemory(freshGuide)
    if (isBroken) turnHandler(false)
    setMemory(freshGuide)
  }

  const bodies: Readonly<Record<StepName, ComponentChildren>> = {
    send: (
      <Step
        text="A real request, signed as Stripe signs it, goes to this gateway over HTTP. Its signature is checked on the exact bytes, and it is recorded before it is answered."
        act={
          mayAct && [
            'Send a signed webhook',
            () =>
              send({ copies: 1, isParallel: false, isRepeat: false }, ({ eventId }) =>
                change((before) => ({ ...before, first: eventId })),
              ),
          ]
        }
      />
    ),
    see: <Step text="The demo handler writes one row, in the same transaction that completes the receipt." />,
    again: (
      <Step
        text="Providers send at least once, sometimes many times at the same moment. All five are answered with success, and none of them runs the handler."
        act={mayAct && ['Send five copies at once', () => send({ copies, isParallel: true, isRepeat: true }, () => {})]}
      />
    ),
    break: (
      <Step
        text="Now something goes wrong in your own code: the handler throws each time it is called."
        act={mayAct && ['Break the handler', () => turnHandler(true)]}
      />
    ),
    retry: (
      <Step
        text="The webhook is accepted all the same: the provider need not send it again. The handler is tried again here, after growing pauses."
        act={
          mayAct &&
          memory.second === undefined && [
            'Send another webhook',
            () =>
              send({ copies: 1, isParallel: false, isRepeat: false }, ({ eventId }) =>
                change((before) => ({ ...before, second: eventId })),
              ),
          ]
        }
        waits={memory.second !== undefined}
      />
    ),
    dead: (
      <Step text="When all attempts are used up, it is kept with its body and its last error. Nothing is lost." waits />
    ),
    fix: <Step text="You deploy the fix." act={mayAct && ['Mend the handler', () => turnHandler(false)]} />,
    replay: (
      <Step
        text="First the preview: the handler runs in a transaction that is rolled back, so that you see what would happen. Then it happens, once."
        act={mayAct && second?.receiptId !== undefined && ['Preview and replay', () => setReplaying(true)]}
      />
    ),
  }
  const findings: Partial<Readonly<Record<StepName, ComponentChildren>>> = {
    see: <SeenLink receiptId={first?.receiptId}>its receipt</SeenLink>,
    again:
      first !== undefined &&
      `${many(first.deliveries, 'delivery', 'deliveries')}, ${many(first.runs, 'run')} of the handler.`,
    dead: <SeenLink receiptId={second?.receiptId}>its timeline</SeenLink>,
    replay: <SeenLink receiptId={second?.receiptId}>what it did</SeenLink>,
  }
  return (
    <section class="card guide" aria-labelledby="guide-title">
      <header>
        <h2 id="guide-title">Your first event</h2>
        <span class="muted small" role="status">
          {done.length} of {names.length}
        </span>
        {done.length > 0 && (
          <Button look="plain" size="tiny" onClick={begin}>
            Start over
          </Button>
        )}
      </header>
      <ol class="steps">
        {names.map((name) => {
          const isDone = done.includes(name)
          return (
            <li
              key={name}
              data-state={isDone ? 'done' : name === current ? 'current' : 'later'}
              {...(name === current ? { 'aria-current': 'step' } : {})}
            >
              <span class="tick">{isDone ? <Icon name="check" /> : names.indexOf(name) + 1}</span>
              <div class="stack tight">
                <h3>
                  {titles[name]}
                  {isDone && <span class="hidden-text">, done</span>}
                </h3>
                {name === current && bodies[name]}
                {isDone && findings[name] && <p class="small muted">{findings[name]}</p>}
              </div>
            </li>
          )
        })}
      </ol>
      {current === undefined && (
        <div class="inner">
          <p class="note good">
            Seven deliveries and a broken handler, and each event took effect exactly once. Point a provider at one of
            the <a href={linkTo(['sources'])}>sources</a>, or catch any request with a{' '}
            <a href={linkTo(['captures'])}>capture</a>.
          </p>
        </div>
      )}
      <Problem failure={action.failure} />
      {isReplaying && second?.receiptId !== undefined && (
        <ReplayDialog
          selection={{ ids: [second.receiptId] }}
          count={1}
          reason="The handler is mended."
          onClose={() => setReplaying(false)}
        />
      )}
    </section>
  )
}

type StepProps = {
  readonly text: string
  readonly act?: readonly [string, () => void] | false
  /** Something is on its way. */
  readonly waits?: boolean
}

function Step({ text, act = false, waits = false }: StepProps) {
  return (
    <>
      <p class="muted">{text}</p>
      {act !== false && (
        <div>
          <Button look="main-action" onClick={act[1]}>
            {act[0]}
          </Button>
        </div>
      )}
      {act === false && waits && (
        <p class="small busy-text" role="status">
          Waiting for it to happen…
        </p>
      )}
    </>
  )
}

function SeenLink({
  receiptId,
  children,
}: {
  readonly receiptId: string | undefined
  readonly children: ComponentChildren
}) {
  if (receiptId === undefined) return null
  return <a href={linkTo(['receipts', receiptId])}>Look at {children}</a>
}

function stored(): GuideMemory {
  try {
    return readGuide(sessionStorage.getItem(place))
  } catch {
    return freshGuide
  }
}

function store(memory: GuideMemory): void {
  try {
    sessionStorage.setItem(place, JSON.stringify(memory))
  } catch {
    // Without a memory, the guide begins anew with the next visit.
  }
}
