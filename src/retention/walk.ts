import type { Clock } from '../clock.ts'
import type { StepResult } from '../store/retention-store.ts'

/** Takes step after step, as long as it may. */
export type Walker = {
  readonly mayContinue: () => boolean
  readonly walk: (step: (after: string | undefined) => Promise<StepResult>, options?: WalkOptions) => Promise<Walked>
  readonly rest: (milliseconds: number) => Promise<void>
}

export type WalkOptions = { readonly from?: string | undefined; readonly mostSteps?: number }

export type Walked = {
  readonly removed: number
  /** False if it had to end before the end. */
  readonly isFinished: boolean
  /** Where the last step began, or where to go on if it is not finished. */
  readonly place: string | undefined
}

export type WalkerParts = {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly mayContinue: () => boolean
  /** How long to rest after a step, in terms of the time it took: 3 leaves three quarters of the time to others. */
  readonly restFactor: number
  readonly onRemoved?: ((count: number) => void) | undefined
}

export function createWalker({ clock, signal, mayContinue, restFactor, onRemoved }: WalkerParts): Walker {
  const rest = (milliseconds: number): Promise<void> => clock.wait(milliseconds, signal)

  return {
    mayContinue,
    rest,
    async walk(step, { from, mostSteps = Number.POSITIVE_INFINITY } = {}) {
      let place = from
      let removed = 0
      for (let number = 0; number < mostSteps && mayContinue(); number += 1) {
        const startedAt = performance.now()
        const result = await step(place)
        if (result.kind === 'lease_lost') break
        removed += result.removed
        if (result.removed > 0) onRemoved?.(result.removed)
        if (result.next === undefined) return { removed, isFinished: true, place }
        place = result.next
        await rest((performance.now() - startedAt) * restFactor)
      }
      return { removed, isFinished: false, place }
    },
  }
}
