import { inspect } from 'node:util'
import { invalidOptions } from '../errors.ts'

/** Collects every mistake in a target's options, to report them in one go. */
export type OptionCheck = {
  readonly demand: (isRight: boolean, mistake: string) => void
  readonly demandNumber: (name: string, value: unknown, range: NumberRange) => void
  /** Throws if there was any mistake. */
  readonly end: () => void
}

type NumberRange = { readonly atLeast: number; readonly atMost: number; readonly isWhole?: boolean }

/** For the options of the target of that name. */
export function checkOptionsOf(target: string): OptionCheck {
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
      if (mistakes.length > 0) throw invalidOptions(`The target ${target}`, mistakes)
    },
  }
}

/** The options that most targets share. */
export type DeliveryOptions = {
  /** Calls under way at once. */
  readonly concurrency?: number
  /** How long one call may take. */
  readonly timeoutSeconds?: number
}

/** Looks at the options that most targets share. */
export function demandDeliveryOptions(
  { demandNumber }: OptionCheck,
  { concurrency, timeoutSeconds }: DeliveryOptions,
): void {
  demandNumber('concurrency', concurrency, { atLeast: 1, atMost: 1000, isWhole: true })
  demandNumber('timeoutSeconds', timeoutSeconds, { atLeast: 0.01, atMost: 3600 })
}
