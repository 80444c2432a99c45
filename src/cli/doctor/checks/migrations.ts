import type { Check } from '../check.ts'

export const migrationsCheck: Check = {
  name: 'migrations',
  run({ inspection: { migrations, schemaName }, program }) {
    const { applied, known, breaking } = migrations
    const cure = `Run "${program} migrate", or let the app do it at its start.`
    if (applied === 0) return [{ severity: 'error', fact: `There are no tables in the schema ${schemaName}.`, cure }]
    if (applied < known) {
      const fact = `The tables are at version ${applied}; this version of Oncehook needs ${known}.`
      return [{ severity: 'error', fact, cure }]
    }
    if (applied === known) return []
    const isBroken = breaking.length > 0
    return [
      {
        severity: isBroken ? 'error' : 'warning',
        fact: `The tables are at version ${applied}, and this version of Oncehook knows only ${known}${isBroken ? ', which cannot work with them' : ''}.`,
        cure: 'Deploy the newer version here too.',
      },
    ]
  },
}
