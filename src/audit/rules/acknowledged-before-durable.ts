import { causeNamed } from '../../prover/causes.ts'
import type { Breach, Rule } from '../finding.ts'
import type { Step } from '../run/step.ts'
import type { Trace } from '../traces.ts'
import { comesAfter, isWork, lineBeside, placeBeside } from './memory.ts'

const { name, title, cure, link } = causeNamed('acknowledged-before-durable')

/** The provider is told that all is well while the work is only in memory. */
export const acknowledgedBeforeDurable: Rule = {
  name,
  severity: 'error',
  title,
  cure,
  link,
  find: ({ traces }) =>
    traces.filter(({ isWebhook }) => isWebhook).flatMap((trace) => [...answeredFirst(trace), ...leftBehind(trace)]),
}

/** `res.sendStatus(200)`, and then the work. */
function answeredFirst({ steps }: Trace): readonly Breach[] {
  return steps.flatMap((answer) => {
    if (answer.kind !== 'answer' || !isSuccess(answer.status) || isKept(answer)) return []
    const work = steps.find((step) => comesAfter(step, answer) && isWork(step) && !step.isInCatch)
    if (work === undefined) return []
    const place = placeBeside(answer, work)
    const story = `The provider is told that all is well here, before the work (${lineBeside(work, answer, place)}) has happened: whatever ends the process in between loses the event, and nobody sends it again.`
    return [{ ...place, story }]
  })
}

/** Work that nobody waits for goes on when the answer has gone out. */
function leftBehind({ steps, route }: Trace): readonly Breach[] {
  if (route === undefined) return []
  const begun = new Set(steps.flatMap(({ detached }) => (detached === undefined ? [] : [detached])))
  return [...begun].flatMap((detached) => {
    const inside = steps.filter((step) => step.detached === detached)
    const answers = inside.some(({ kind }) => kind === 'answer')
    const work = inside.find((step) => isWork(step) && !step.isInCatch)
    if (answers || work === undefined || isKept(work)) return []
    const story =
      'Nobody waits for this: the answer goes out while the work is only in memory. Whatever ends the process, or makes the work fail, loses the event, and nobody sends it again.'
    return [{ ...detached, story }]
  })
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300
}

/** Whether something durable may have been written before: then somebody can come back to it. */
function isKept({ before }: Step): boolean {
  return before.some(
    (step) =>
      step.detached === undefined &&
      (step.kind === 'record' ||
        step.kind === 'write' ||
        (step.kind === 'foreign' && step.isQueue) ||
        step.kind === 'work'),
  )
}
