import type { SendingRules } from '../index.ts'
import type { FaultKind } from './faults.ts'
import { isSuccess } from './judge.ts'
import type { MadeAttempt } from './make-attempt.ts'
import type { SimulatedAttempt, SimulatedEventReport, SimulationCounts, SimulationReport } from './report.ts'

/** The figures of a report, kept while it runs. */
export type Tally = {
  readonly attempted: (made: MadeAttempt, attempt: SimulatedAttempt, wasTaken: boolean) => void
  readonly ended: (outcome: SimulatedEventReport['outcome'], attempts: number) => void
  readonly heldBack: () => void
  readonly counts: () => SimulationCounts
  readonly figures: () => Pick<SimulationReport, 'counts' | 'deliveredAtAttempt' | 'outcomes' | 'faults'>
}

/** Begins with nothing. */
export function createTally(sending: SendingRules): Tally {
  const ended = { delivered: 0, given_up: 0, pending: 0, not_sent: 0 }
  const deliveredAtAttempt: Record<number, number> = {}
  const outcomes: Record<string, number> = {}
  const faults: Partial<Record<FaultKind | 'outage', number>> = {}
  let [attempts, duplicates] = [0, 0]

  const counts = (): SimulationCounts => ({
    events: ended.delivered + ended.given_up + ended.pending + ended.not_sent,
    delivered: ended.delivered,
    givenUp: ended.given_up,
    pending: ended.pending,
    notSent: ended.not_sent,
    attempts,
    duplicates,
  })
  return {
    attempted(made, { outcome }, wasTaken) {
      attempts += 1
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      for (const fault of made.faults) faults[fault] = (faults[fault] ?? 0) + 1
      duplicates += wasTaken ? made.requests : Math.max(0, takenBy(sending, made) - 1)
    },
    ended(outcome, number) {
      ended[outcome] += 1
      if (outcome === 'delivered') deliveredAtAttempt[number] = (deliveredAtAttempt[number] ?? 0) + 1
    },
    heldBack: () => {
      faults.reorder = (faults.reorder ?? 0) + 1
    },
    counts,
    figures: () => ({ counts: counts(), deliveredAtAttempt, outcomes, faults }),
  }
}

/** How many of its requests the endpoint took, as far as its answers tell. */
export function takenBy(sending: SendingRules, { end, unheard }: MadeAttempt): number {
  const answers = [...unheard, ...(end.kind === 'answered' ? [end.reply] : [])]
  return answers.filter((answer) => isSuccess(sending, answer)).length
}
