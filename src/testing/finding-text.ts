import type { Finding } from './checks.ts'

/** What a test that fails says: also one that expected the opposite. */
export function textOf(subject: string, { holds, expected, found }: Finding): string {
  return `Expected ${subject} ${holds ? 'not ' : ''}${expected}.\n\n${found}`
}
