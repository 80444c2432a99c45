import type { UntypedPayloads } from './payloads.ts'

// On the line after `@ts-ignore`, a package that is not installed is no error but `any`. The compiler keeps the comment in our
// declarations only if it begins with two stars and belongs to a type.

/** @ts-ignore The package may be missing. */
type StripeEvent = import('stripe').default.Event

/**
 * Stripe's own types, where the package `stripe` is installed; else of any shape. Thin events are not among them, and before
 * version 13 the package does not tell one event from another.
 */
export type StripePayloads = string extends StripeEvent['type']
  ? UntypedPayloads
  : { readonly [Event in StripeEvent as Event['type']]: Event }
