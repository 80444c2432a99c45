import { printable } from '../../printable.ts'
import type { Check } from '../check.ts'

export const environmentCheck: Check = {
  name: 'environment',
  run({ inspection: { environments }, environment }) {
    if (environments.length === 0 || environments.includes(environment)) return []
    const known = environments.map(printable).join(', ')
    return [
      {
        severity: 'warning',
        fact: `The ledger has nothing of the environment ${environment}; it has ${known}.`,
        cure: 'Say which one is meant with --environment, as the app does.',
      },
    ]
  },
}
