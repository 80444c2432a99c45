import { type ReportParts, type ShadowReport, type ShadowReportOptions, shadowReport } from './shadow-report.ts'
import { type CallWatch, createCallWatch, type WatchedCall, type WatchParts } from './watch-calls.ts'

/** Watching a handler that is not ours: it is run as ever, and nothing that happens here can disturb it. */
export type Shadow = {
  /**
   * One call of the handler, for what the adapters do not cover: say what it was given, and how it ended. Nothing of it throws, waits or
   * rejects.
   */
  readonly begin: (source: string) => WatchedCall
  /** Writes what was seen so far: before a process ends, or is frozen. Never rejects. */
  readonly flush: () => Promise<void>
  /** What it did with its deliveries, as far as it shows from outside. */
  readonly report: (options: ShadowReportOptions) => Promise<ShadowReport>
}

export type ShadowParts = WatchParts & ReportParts

/** While nothing can be written, that is said once in a while and not for every delivery. */
const quietMilliseconds = 60_000

export function createShadow(parts: ShadowParts): { readonly shadow: Shadow; readonly flush: CallWatch['flush'] } {
  let isQuietUntil = Number.NEGATIVE_INFINITY
  const { begin, flush } = createCallWatch({
    ...parts,
    onError(error) {
      if (performance.now() < isQuietUntil) return
      isQuietUntil = performance.now() + quietMilliseconds
      parts.onError(error)
    },
  })
  const shadow: Shadow = {
    begin,
    flush,
    async report(options) {
      await parts.ready()
      await flush()
      return shadowReport(parts, options)
    },
  }
  return { shadow, flush }
}
