import { type Answered, type OutgoingEvent, post } from './outgoing.ts'

export type SendPlan = {
  /** One entry per delivery; the same event may stand there many times. */
  readonly deliveries: readonly OutgoingEvent[]
  readonly order: 'one_by_one' | 'parallel'
  readonly onAnswer: (answer: Answered, index: number) => void
}

/** More connections at once than this would test the operating system's limits, not the receiver. */
const mostAtOnce = 100

/** Sends everything, and answers in the order of the deliveries. */
export async function sendAll({ deliveries, order, onAnswer }: SendPlan): Promise<readonly Answered[]> {
  const answers = new Map<number, Answered>()
  const open = deliveries.entries()
  const lane = async (): Promise<void> => {
    for (const [index, event] of open) {
      const answer = await post(event.deliver(new Date()))
      answers.set(index, answer)
      onAnswer(answer, index)
    }
  }
  await Promise.all(Array.from({ length: order === 'parallel' ? mostAtOnce : 1 }, lane))
  return deliveries.flatMap((_, index) => answers.get(index) ?? [])
}
