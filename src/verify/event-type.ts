/** One type out of several names, such as `payments.confirmed`; undefined if one of them is missing. */
export function dottedType(names: readonly unknown[]): string | undefined {
  return names.every((name) => typeof name === 'string' && name !== '') ? names.join('.') : undefined
}
