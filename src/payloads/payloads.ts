/** What a provider sends, where no package describes it: JSON of any shape, for every type. */
export type UntypedPayloads = ReturnType<typeof JSON.parse>

/**
 * The payload of the events that a type, or each type of a list, stands for: one of them, a beginning as in `invoice.*`, or `*`.
 * A type that the provider's package does not know has a payload of any shape.
 */
export type PayloadOf<Payloads, Types extends string | readonly string[]> = Types extends readonly string[]
  ? PayloadOfType<Payloads, Types[number]>
  : PayloadOfType<Payloads, Types & string>

/** For each type of a union by itself. */
type PayloadOfType<Payloads, Type> = Type extends keyof Payloads
  ? Payloads[Type]
  : Type extends `${infer Beginning}*`
    ? Known<Payloads, Extract<keyof Payloads, `${Beginning}${string}`>>
    : UntypedPayloads

type Known<Payloads, Type extends keyof Payloads> = [Type] extends [never] ? UntypedPayloads : Payloads[Type]
