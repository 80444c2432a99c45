import { answerOf } from '../../src/delivery/answer.ts'
import type { Delivery } from '../../src/delivery/delivery.ts'
import type { Door, DoorSettings, Refusal } from '../../src/delivery/door.ts'
import type { Outcome } from '../../src/delivery/outcome.ts'

/** A door that remembers what came through it, in place of an inbox with its database. */
export type RecordingDoor = Door & {
  readonly received: { readonly source: string; readonly delivery: Delivery }[]
  readonly refused: { readonly source: string; readonly refusal: Refusal }[]
  readonly errors: unknown[]
}

export type RecordingDoorOptions = {
  readonly settings?: Partial<DoorSettings>
  readonly receive?: (delivery: Delivery) => Promise<Outcome>
  readonly answer?: Door['answer']
}

export const accepted: Outcome = { kind: 'accepted', receiptId: '42', eventId: 'evt_1' }

export function recordingDoor(options: RecordingDoorOptions = {}): RecordingDoor {
  const { receive = async () => accepted, answer = (_source, _delivery, outcome) => answerOf(outcome) } = options
  const settings: DoorSettings = {
    maximumBodyBytes: 1_000_000,
    decompress: 'refuse',
    methods: ['POST'],
    ...options.settings,
  }
  const received: RecordingDoor['received'] = []
  const refused: RecordingDoor['refused'] = []
  const errors: unknown[] = []
  return {
    received,
    refused,
    errors,
    settingsOf: (source) => (source === 'acme' ? settings : undefined),
    receive(source, delivery) {
      received.push({ source, delivery })
      return receive(delivery)
    },
    answer,
    onRefused: (source, refusal) => void refused.push({ source, refusal }),
    onError: (error) => void errors.push(error),
  }
}

/** The body of the only delivery, as text. */
export function bodyReceived({ received }: RecordingDoor): string {
  const [only] = received
  if (only === undefined || received.length > 1) throw new Error(`${received.length} deliveries were received.`)
  return Buffer.from(only.delivery.body).toString('utf8')
}
