/** What a probe is asked about. Both ids are given as parameters, never as a part of a statement or a command. */
export type Subject = { readonly eventId: string; readonly objectId: string | undefined }

/** How often something took effect. */
export type Probe = (subject: Subject) => Promise<number>

/** What is stored about an object, in any shape: only whether two are equal is looked at. */
export type StateProbe = (subject: Subject) => Promise<unknown>

/** Asks a question that has a text for its answer. */
export type Asker = {
  readonly ask: (subject: Subject) => Promise<string>
  /** What the question names: a count by object can tell two events of one change from two changes. */
  readonly asksBy: 'event' | 'object'
  readonly close: () => Promise<void>
}

/** The probe that a question makes. Rejects, with the reason, if the answer is no count. */
export function countingProbe(asker: Asker): Probe {
  return async (subject) => countOf(await asker.ask(subject))
}

/** A whole number, alone or as the only or the `count` member of an object. */
export function countOf(answer: string): number {
  const text = answer.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const number = countIn(text)
  if (number !== undefined) return number
  throw new Error(`The probe answered ${JSON.stringify(text.slice(0, 80))}, which is no count.`)
}

function countIn(text: string): number | undefined {
  try {
    const document: unknown = JSON.parse(text)
    if (typeof document !== 'object' || document === null || Array.isArray(document)) return undefined
    const values = Object.values(document)
    const value: unknown = 'count' in document ? document.count : values.length === 1 ? values[0] : undefined
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
  } catch {
    return undefined
  }
}
