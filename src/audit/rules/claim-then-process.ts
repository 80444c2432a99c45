import { causeNamed } from '../../prover/causes.ts'
import type { Rule } from '../finding.ts'
import { looseClaims } from './claims.ts'
import { called, lineBeside } from './memory.ts'

const { name, title, cure, link } = causeNamed('claim-then-process')

/** The mark is committed before the work. */
export const claimThenProcess: Rule = {
  name,
  severity: 'error',
  title,
  cure,
  link,
  find: (traces, project) =>
    looseClaims(traces, project).flatMap(({ claim, work, erased }) => {
      if (erased !== undefined) return []
      const story = `The event is marked as seen in ${called(claim)} here, by itself, and the work comes later (${lineBeside(work, claim)}): a crash or failure in between loses it, because the redelivery counts as a copy.`
      return [{ node: claim.node, file: claim.file, story }]
    }),
}
