import { inspect } from 'node:util'
import { invalidOptions } from './errors.ts'

/** Collects every mistake in some options, to report them in one go. */
export type OptionCheck = {
  readonly demand: (isRight: boolean, mistake: string) => void
  readonly demandNumber: (name: string, value: unknown, range: NumberRange) => void
  /** Throws if there was any mistake. */
  readonly end: () => void
}

type NumberRange = { readonly atLeast: number; readonly atMost: number; readonly isWhole?: boolean }

/** The subject begins the message, as in "The target http cannot start". */
export function createOptionCheck(subject: string): OptionCheck {
  const mistakes: string[] = []
  const demand = (isRight: boolean, mistake: string): void => void (isRight || mistakes.push(mistake))
  return {
    demand,
    demandNumber(name, value, { atLeast, atMost, isWhole = false }) {
      if (value === undefined) return
      const isInRange = typeof value === 'number' && value >= atLeast && value <= atMost
      const range = `a ${isWhole ? 'whole ' : ''}number from ${atLeast} to ${atMost}`
      demand(isInRange && (!isWhole || Number.isInteger(value)), `${name} is ${inspect(value)}: give ${range}.`)
    },
    end() {
      if (mistakes.length > 0) throw invalidOptions(subject, mistakes)
    },
  }
}
