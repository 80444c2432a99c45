/** What was wrong, seen from outside. */
export type Symptom =
  | 'doubled'
  | 'lost'
  | 'lost_after_acknowledgement'
  | 'not_acknowledged'
  | 'accepted'
  | 'refused'
  | 'effect_despite_refusal'
  | 'bad_answer'
  | 'too_slow'
  | 'overwritten'
  | 'not_running'

/** What a scenario found. */
export type Finding =
  | { readonly kind: 'passed'; readonly saw: string }
  | {
      readonly kind: 'failed'
      readonly symptom: Symptom
      readonly saw: string
      /** The ids of the events that it happened to. */
      readonly affected: readonly string[]
    }
  /** What can be seen from outside is as it should be; the effects could not be counted. */
  | { readonly kind: 'unseen'; readonly saw: string; readonly missing: string }
  | { readonly kind: 'skipped'; readonly why: string }

export function passed(saw: string): Finding {
  return { kind: 'passed', saw }
}

export function failed(symptom: Symptom, saw: string, affected: readonly { readonly id: string }[] = []): Finding {
  return { kind: 'failed', symptom, saw, affected: affected.map(({ id }) => id) }
}

export function skipped(why: string): Finding {
  return { kind: 'skipped', why }
}
