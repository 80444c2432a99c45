import type { InboxEvent, InboxListener } from '../../index.ts'
import type { Paint } from '../colour.ts'
import { describeDuration } from '../duration.ts'
import { sentenceOf } from '../failure.ts'
import type { FullScreen, FullScreenListener } from '../full-screen.ts'
import type { Ledger } from '../ledger.ts'
import { readDetails } from './details.ts'
import { drawScreen } from './draw.ts'
import { readKeys } from './keys.ts'
import {
  afterKey,
  firstState,
  type ScreenState,
  stateAfterEvent,
  stateAfterReplay,
  stateWithDetails,
  type Wish,
} from './model.ts'

export type ScreenParts = {
  readonly open: (listener: FullScreenListener) => FullScreen
  readonly ledger: Pick<Ledger, 'find' | 'timeline' | 'body' | 'redactions' | 'replay'>
  readonly title: string
  readonly paint: Paint
  /** Why nothing can be replayed. Undefined: it can. */
  readonly noReplay: string | undefined
}

/** The live list, while somebody looks at it. */
export type LiveScreen = {
  readonly tell: InboxListener
  /** Resolves when the person at the terminal has seen enough. */
  readonly quit: Promise<void>
  readonly close: () => void
  /** How many events on the list are still tried again. */
  readonly waiting: () => number
}

/** Many events in one moment are drawn once. */
const drawMilliseconds = 30

/** Shows what it is told, and does what keys ask for. */
export function openLiveScreen({ open, ledger, title, paint, noReplay }: ScreenParts): LiveScreen {
  let state: ScreenState = firstState
  let drawing: NodeJS.Timeout | undefined
  let onQuit = (): void => {}
  const quit = new Promise<void>((resolve) => {
    onQuit = resolve
  })
  const screen = open({ onInput, onResize: draw })
  // Waits that are shown get shorter by themselves.
  const ticking = setInterval(() => countWaiting() > 0 && soon(), 1000)
  draw()
  return { tell, quit, close, waiting: countWaiting }

  function tell(event: InboxEvent): void {
    change(stateAfterEvent(state, event, new Date()))
    const { view } = state
    if (view.kind !== 'inspect' || !('receiptId' in event)) return
    if (view.row.receiptId !== undefined && event.receiptId === view.row.receiptId) void inspect(view.row.receiptId)
  }

  function onInput(text: string): void {
    for (const key of readKeys(text)) {
      const { state: next, wish } = afterKey(state, key)
      change(next)
      if (wish !== undefined) grant(wish)
    }
    draw()
  }

  function grant(wish: Wish): void {
    switch (wish.kind) {
      case 'quit':
        return onQuit()
      case 'inspect':
        return void inspect(wish.receiptId)
      case 'replay':
        return void replay(wish.receiptId)
    }
  }

  /** Never rejects: what goes wrong is said on the screen. */
  async function inspect(receiptId: string): Promise<void> {
    try {
      const details = await readDetails(ledger, receiptId)
      if (details === undefined) say(`Receipt ${receiptId} is not there any more.`)
      else change(stateWithDetails(state, receiptId, details))
    } catch (error) {
      say(sentenceOf(error))
    }
  }

  async function replay(receiptId: string): Promise<void> {
    if (noReplay !== undefined) return say(noReplay)
    try {
      const [receipt] = await ledger.find({ id: receiptId, limit: 1 })
      if (receipt === undefined) return say(`Receipt ${receiptId} is not there any more.`)
      const note = { by: 'listen', why: 'the key r of listen' }
      const replayed = await ledger.replay({ id: receiptId, status: receipt.status }, note)
      if (replayed.length > 0) return change(stateAfterReplay(state, receiptId))
      const wait = (receipt.nextAttemptAt?.getTime() ?? 0) - Date.now()
      const next = wait > 0 ? `: its next attempt is in ${describeDuration(wait)}` : ''
      say(`Receipt ${receiptId} is in the queue already${next}.`)
    } catch (error) {
      say(sentenceOf(error))
    }
  }

  function say(message: string): void {
    change({ ...state, message })
  }

  function change(next: ScreenState): void {
    state = next
    soon()
  }

  function soon(): void {
    drawing ??= setTimeout(draw, drawMilliseconds)
  }

  function draw(): void {
    clearTimeout(drawing)
    drawing = undefined
    const { columns, lines } = screen.size()
    const drawn = drawScreen(state, { columns, lines, now: new Date(), paint, title })
    const { view } = state
    // Beyond the end there is nothing, and the way back would be long.
    if (view.kind === 'inspect' && view.details !== undefined && view.top > drawn.mostTop) {
      state = { ...state, view: { ...view, top: drawn.mostTop } }
    }
    screen.draw(drawn.lines)
  }

  function close(): void {
    clearInterval(ticking)
    clearTimeout(drawing)
    screen.close()
  }

  function countWaiting(): number {
    return state.rows.list.filter((row) => row.state === 'retrying' || row.state === 'deferred').length
  }
}
