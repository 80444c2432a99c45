const mark: unique symbol = Symbol('with headers')

/** An answer with headers of its own, such as a cookie. */
export type WithHeaders<Answer> = {
  readonly [mark]: true
  readonly answer: Answer
  readonly headers: Readonly<Record<string, string>>
}

export function withHeaders<Answer>(answer: Answer, headers: Readonly<Record<string, string>>): WithHeaders<Answer> {
  return { [mark]: true, answer, headers }
}

export function isWithHeaders(value: unknown): value is WithHeaders<unknown> {
  return typeof value === 'object' && value !== null && mark in value
}

export function withoutHeaders(value: unknown): unknown {
  return isWithHeaders(value) ? value.answer : value
}
