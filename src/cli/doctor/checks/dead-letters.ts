import { printable } from '../../printable.ts'
import { plural } from '../../start-texts.ts'
import type { Check } from '../check.ts'

export const deadLettersCheck: Check = {
  name: 'dead-letters',
  run({ health, program, environment }) {
    const place = environment === 'default' ? '' : ` --environment ${environment}`
    const events = (health?.sources ?? []).filter(({ deadLetters }) => deadLetters > 0)
    const messages = (health?.targets ?? []).filter(({ deadLetters }) => deadLetters > 0)
    return [
      ...events.map(({ source, deadLetters }) => ({
        severity: 'warning' as const,
        fact: `${plural(deadLetters, 'event')} of ${printable(source)} failed for good.`,
        cure: `See why with "${program} dead --source ${printable(source)}${place}", mend the cause, and replay them.`,
      })),
      ...messages.map(({ target, deadLetters }) => ({
        severity: 'warning' as const,
        fact: `${plural(deadLetters, 'message')} to ${printable(target)} could not be sent for good.`,
        cure: "See why with inbox.messages.find({ status: 'failed' }), mend the cause, and call inbox.messages.replay.",
      })),
    ]
  },
}
