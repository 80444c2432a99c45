import { causeNamed } from '../../prover/causes.ts'
import type { Rule } from '../finding.ts'
import { looseClaims } from './claims.ts'
import { lineBeside } from './memory.ts'

const { name, title, cure, link } = causeNamed('delete-on-failure')

/** The mark is taken back by a second statement, if that is ever reached. */
export const deleteOnFailure: Rule = {
  name,
  severity: 'error',
  title,
  cure,
  link,
  find: (traces, project) =>
    looseClaims(traces, project).flatMap(({ claim, erased }) => {
      if (erased === undefined) return []
      const story = `The mark that is set on ${lineBeside(claim, erased)} is taken back here if the work fails. A killed process takes nothing back, and a copy that came in between was told that all is done.`
      return [{ node: erased.node, file: erased.file, story }]
    }),
}
