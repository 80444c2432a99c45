import type { Check } from '../check.ts'

export const indexesCheck: Check = {
  name: 'indexes',
  run({ inspection: { indexes } }) {
    return [
      ...indexes.missing.map(({ name, sql }) => ({
        severity: 'error' as const,
        fact: `The index ${name} is missing: duplicates may pass, or every delivery reads whole tables.`,
        cure: 'Make it anew, which lets deliveries go on.',
        sql: [sql],
      })),
      ...indexes.invalid.map(({ name, sql }) => ({
        severity: 'error' as const,
        fact: `The index ${name} is not valid, as a build that was broken off leaves it: no query uses it.`,
        cure: 'Build it anew, which lets deliveries go on.',
        sql: [sql],
      })),
    ]
  },
}
