/** A type as long as a value of it is being made. */
export type Writable<Type> = { -readonly [Member in keyof Type]: Type[Member] }
