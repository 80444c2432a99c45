import type { Scenario } from '../scenario.ts'
import {
  copiesAtOnce,
  copyWhileProcessing,
  lateCopy,
  lostAcknowledgement,
  repeatedDelivery,
  singleDelivery,
} from './copies.ts'
import { copyAfterRestart, killedAfterAcknowledgement, killedWhileProcessing, terminatedUnderLoad } from './crashes.ts'
import { badSignature, changedByte, staleSignature, unsigned, wrongSecret } from './forgeries.ts'
import { changedBody, newEvents, sameChange } from './identity.ts'
import { deadline, hostileInput } from './input.ts'
import { olderAfterNewer, randomOrder } from './order.ts'
import { copiesOfFailing, parentMissing } from './parents.ts'
import { prettyBody } from './raw-body.ts'

/** Every scenario, in the order in which they are run. */
export const allScenarios: readonly Scenario[] = [
  singleDelivery,
  repeatedDelivery,
  copiesAtOnce,
  copyWhileProcessing,
  lostAcknowledgement,
  lateCopy,
  newEvents,
  changedBody,
  sameChange,
  olderAfterNewer,
  randomOrder,
  parentMissing,
  copiesOfFailing,
  wrongSecret,
  badSignature,
  unsigned,
  changedByte,
  staleSignature,
  prettyBody,
  hostileInput,
  deadline,
  killedWhileProcessing,
  killedAfterAcknowledgement,
  terminatedUnderLoad,
  copyAfterRestart,
]
