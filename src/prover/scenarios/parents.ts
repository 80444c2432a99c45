import type { ProverEvent } from '../events.ts'
import { type Finding, skipped } from '../findings.ts'
import { judgeOnce, unseen } from '../judge.ts'
import type { Scenario, Stage } from '../scenario.ts'
import { isAcknowledged } from '../sender.ts'
import { notAcknowledged } from './copies.ts'

export const parentMissing: Scenario = {
  name: 'parent-missing',
  group: 'order',
  promise: 'An event that comes before the one it needs takes effect once, when that one is there.',
  run: (stage) =>
    withFamily(stage, async ({ parent, child }) => {
      const early = await stage.courier.send({ event: child, label: 'child, too early' })
      if (stage.counter.canSee) await stage.counter.atRest([child])
      const isParentTaken = await stage.courier.sendUntilAcknowledged({ event: parent, label: 'parent' })
      if (!isParentTaken) return notAcknowledged('The parent')
      // Who acknowledged it has promised to remember it, and it is not sent again.
      const isChildTaken =
        isAcknowledged(early) ||
        (await stage.courier.sendUntilAcknowledged({ event: child, label: 'child, sent again' }))
      if (!isChildTaken) return notAcknowledged('The child, with its parent there,')
      return judgeOnce(stage, [child], {
        did: isAcknowledged(early) ? 'child acknowledged, then its parent' : 'child refused, its parent, child again',
        lostSymptom: isAcknowledged(early) ? 'lost_after_acknowledgement' : 'lost',
        patienceSeconds: stage.settings.recoverySeconds,
      })
    }),
}

const families = 4
const copiesOfChild = 6

export const copiesOfFailing: Scenario = {
  name: 'copies-of-failing',
  group: 'order',
  promise: 'While the work of an event fails, no copy of it is acknowledged as a duplicate of work that never happens.',
  run: (stage) =>
    withFamily(stage, async (first) => {
      const { courier, events, settings } = stage
      const others = Array.from({ length: families - 1 }, () =>
        events.related(settings.parentType ?? '', settings.childType ?? ''),
      )
      const children: ProverEvent[] = []
      for (const { parent, child } of [first, ...others]) {
        const copies = Array.from({ length: copiesOfChild }, (_, copy) => ({ event: child, label: `copy ${copy + 1}` }))
        const replies = await courier.sendTogether(copies)
        if (stage.counter.canSee) await stage.counter.atRest([child])
        if (!(await courier.sendUntilAcknowledged({ event: parent, label: 'parent' })))
          return notAcknowledged('The parent')
        // One copy that is acknowledged ends it: the sender believes that it was taken.
        const isTaken =
          replies.some(isAcknowledged) || (await courier.sendUntilAcknowledged({ event: child, label: 'sent again' }))
        if (!isTaken) return notAcknowledged('The child, with its parent there,')
        children.push(child)
      }
      return judgeOnce(stage, children, {
        did: `${families} events that failed at first, ${copiesOfChild} copies at once of each`,
        patienceSeconds: stage.settings.recoverySeconds,
      })
    }),
}

type Family = { readonly parent: ProverEvent; readonly child: ProverEvent }

async function withFamily(stage: Stage, run: (family: Family) => Promise<Finding>): Promise<Finding> {
  const { parentType, childType } = stage.settings
  if (parentType === undefined || childType === undefined) {
    return skipped('Which event needs which? Say so by the types of parent and child')
  }
  const finding = await run(stage.events.related(parentType, childType))
  return finding.kind === 'unseen' ? unseen(finding.saw) : finding
}
