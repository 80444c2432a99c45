import { causeNamed } from '../../prover/causes.ts'
import type { Breach, Rule } from '../finding.ts'
import type { Step } from '../run/step.ts'
import { has } from '../run/value.ts'
import type { Trace } from '../traces.ts'
import { comesAfter, isStored, isWork, lineBeside, placeBeside } from './memory.ts'

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
function answeredFirst(trace: Trace): readonly Breach[] {
  const { steps } = trace
  return steps.flatMap((answer) => {
    if (answer.kind !== 'answer' || !isSuccess(answer.status) || isKept(answer)) return []
    const work = steps.find((step) => comesAfter(step, answer) && isWorkOfEvent(trace, step))
    if (work === undefined) return []
    const place = placeBeside(answer, work)
    const story = `The provider is told that all is well here, before the work (${lineBeside(work, answer, place)}) has happened: whatever ends the process in between loses the event, and nobody sends it again.`
    return [{ ...place, story }]
  })
}

/** Work that nobody waits for goes on when the answer has gone out. */
function leftBehind(trace: Trace): readonly Breach[] {
  const { steps, route } = trace
  if (route === undefined) return []
  const begun = new Set(steps.flatMap(({ detached }) => (detached === undefined ? [] : [detached])))
  return [...begun].flatMap((detached) => {
    const inside = steps.filter((step) => step.detached === detached)
    const answers = inside.some(({ kind }) => kind === 'answer')
    const work = inside.find((step) => isWorkOfEvent(trace, step))
    if (answers || work === undefined || isKept(work)) return []
    const story =
      'Nobody waits for this: the answer goes out while the work is only in memory. Whatever ends the process, or makes the work fail, loses the event, and nobody sends it again.'
    return [{ ...detached, story }]
  })
}

/** An address may have "webhooks" in it because people manage theirs there: then it is the event, or its signature, that tells. */
function isWorkOfEvent({ steps }: Trace, step: Step): boolean {
  if (!isWork(step) || step.isInCatch) return false
  const isAboutEvent = isStored(step) && has(step.key, 'event', 'event-id', 'event-part', 'body-hash')
  return step.kind === 'work' || isAboutEvent || steps.some(({ kind }) => kind === 'verify')
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
