import { createOptionCheck, type OptionCheck } from '../check-options.ts'

/** For the options of the target of that name. */
export function checkOptionsOf(target: string): OptionCheck {
  return createOptionCheck(`The target ${target}`)
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
