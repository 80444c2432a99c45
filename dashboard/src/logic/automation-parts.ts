import type { Automation } from '../api/tool-types.ts'

/** What sets an automation off: events of a source, or requests at a capture endpoint. */
export type Trigger = {
  readonly source?: string
  readonly types?: string | readonly string[]
  readonly endpoint?: string
}

/** The server has checked what is read here. */
export function triggerOf({ definition }: Automation): Trigger {
  return (definition as { readonly on?: Trigger } | null | undefined)?.on ?? {}
}

export function stepCount({ definition }: Automation): number {
  return (definition as { readonly steps?: readonly unknown[] } | null | undefined)?.steps?.length ?? 0
}
