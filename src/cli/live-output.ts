import type { InboxListener } from '../index.ts'
import type { Ledger } from './ledger.ts'
import { type LiveScreen, openLiveScreen } from './listen-screen/run-screen.ts'
import { createLiveView } from './live-view.ts'
import { plural } from './start-texts.ts'
import type { Terminal } from './terminal.ts'

/** What is shown once everything is ready. */
export type LiveBeginning = {
  /** For the list, in one line. */
  readonly title: string
  /** For plain lines. */
  readonly banner: () => string
  /** For machines. */
  readonly document: () => object
  readonly ledger: Ledger
  /** Why nothing can be replayed from the list. Undefined: it can. */
  readonly noReplay: string | undefined
}

/** Shows what happens: a list with keys on a terminal, plain lines elsewhere, or one JSON document a line. */
export type LiveOutput = {
  readonly tell: InboxListener
  /** What was told before is shown after it. `quit` resolves when the person at the terminal has seen enough. */
  readonly begin: (beginning: LiveBeginning) => { readonly quit: Promise<void> }
  /** Gives the terminal back. */
  readonly close: () => void
  /** The last words. */
  readonly end: () => void
}

/** Chooses by what is at the other end. */
export function openLiveOutput({
  values,
  terminal,
}: {
  readonly values: { readonly json?: boolean | undefined }
  readonly terminal: Terminal
}): LiveOutput {
  if (values.json === true) return jsonOutput(terminal)
  const { openFullScreen } = terminal
  return openFullScreen === undefined ? lineOutput(terminal) : screenOutput(terminal, openFullScreen)
}

/** Resolves never: only a signal ends what has no keys. */
const never = new Promise<void>(() => {})

function jsonOutput({ print }: Terminal): LiveOutput {
  const printJson = (document: object): void => print(JSON.stringify({ at: new Date(), ...document }))
  return {
    tell: printJson,
    begin({ document }) {
      printJson(document())
      return { quit: never }
    },
    close: () => {},
    end: () => printJson({ kind: 'stopped' }),
  }
}

function lineOutput({ print, tell, paint }: Terminal): LiveOutput {
  const view = createLiveView(paint)
  return {
    tell: (event) => print(view.line(event, new Date())),
    begin({ banner }) {
      print(`${banner()}\n\n${paint('dim', view.titles())}\n${paint('dim', 'Waiting for webhooks. Ctrl+C stops.')}`)
      return { quit: never }
    },
    close: () => {},
    end: () => tell('Stopped. Everything that was acknowledged is in the store.'),
  }
}

function screenOutput({ tell, paint }: Terminal, open: NonNullable<Terminal['openFullScreen']>): LiveOutput {
  let screen: LiveScreen | undefined
  const early: Parameters<InboxListener>[0][] = []
  return {
    tell: (event) => (screen === undefined ? void early.push(event) : screen.tell(event)),
    begin({ title, ledger, noReplay }) {
      screen = openLiveScreen({ open, ledger, title, paint, noReplay })
      for (const event of early) screen.tell(event)
      return { quit: screen.quit }
    },
    close: () => screen?.close(),
    end() {
      const waiting = screen?.waiting() ?? 0
      tell('Stopped. Everything that was acknowledged is in the store.')
      if (waiting > 0) tell(`${plural(waiting, 'event')} will be tried again at the next start.`)
    },
  }
}
