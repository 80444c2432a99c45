/** Errors that differ in numbers alone are one failure: ids, ports and times are not what went wrong. */
export function isAlike(one: string, other: string): boolean {
  return plain(one) === plain(other)
}

function plain(error: string): string {
  return error.replaceAll(/[0-9]+/g, '#')
}
