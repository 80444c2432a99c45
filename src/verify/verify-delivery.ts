import type { KeyObject } from 'node:crypto'
import type { Delivery } from '../delivery/delivery.ts'
import { describeSkew, diagnose } from './diagnose.ts'
import type { Proof, Scheme } from './scheme.ts'
import { isWithinTolerance } from './timestamp.ts'
import type { Verdict } from './verdict.ts'

/** Everything a verdict depends on. */
export type Verification = {
  readonly scheme: Scheme
  readonly delivery: Delivery
  readonly at: Date
  readonly toleranceSeconds: number | undefined
  /** Asked only for a delivery that looks right from the outside. */
  readonly keys: () => readonly KeyObject[]
  /** Whether a mismatch may be examined now; finding the cause costs more than the refusal. */
  readonly mayExamine: () => boolean
}

/** The verdict on a delivery: what is cheap to refuse is refused first, and a hint is given only where none is accepted. */
export function verifyDelivery(verification: Verification): Verdict {
  const { scheme, delivery, at, keys: keysOf } = verification
  for (const name of scheme.headers) {
    if ((delivery.headers.get(name)?.length ?? 0) > 1) return { kind: 'forged', reason: 'signature_repeated' }
  }
  const proof = scheme.read(delivery)
  if (proof.kind === 'forged') return proof
  const keys = keysOf()
  if (keys.length === 0) {
    return { kind: 'forged', reason: 'secret_unknown', hint: 'No secret is known for this delivery.' }
  }
  const isTimely = isTimelyProof(proof, at, verification.toleranceSeconds)
  if (!isTimely && !verification.mayExamine()) return { kind: 'forged', reason: 'timestamp_outside_tolerance' }

  const secretIndex = keys.findIndex((key) => isMadeWith(proof, key))
  if (!isTimely) return outsideTolerance(verification, proof, secretIndex >= 0)
  if (secretIndex >= 0) return { kind: 'authentic', secretIndex }
  const cause = verification.mayExamine() ? diagnose({ scheme, proof, delivery, keys }) : undefined
  const hint = cause ?? proof.doubt
  return { kind: 'forged', reason: proof.mismatch, ...(hint === undefined ? {} : { hint }) }
}

function isTimelyProof(proof: Proof, at: Date, toleranceSeconds: number | undefined): boolean {
  const leeway = toleranceSeconds ?? 0
  const now = at.getTime() / 1000
  const { timestampSeconds, validFromSeconds = now, validUntilSeconds = now } = proof
  return (
    (timestampSeconds === undefined ||
      toleranceSeconds === undefined ||
      isWithinTolerance(timestampSeconds, at, toleranceSeconds)) &&
    validFromSeconds <= now + leeway &&
    validUntilSeconds >= now - (proof.graceSeconds ?? leeway)
  )
}

function outsideTolerance(
  { at, toleranceSeconds = 0 }: Verification,
  proof: Proof,
  isSignatureRight: boolean,
): Verdict {
  const stamp = proof.timestampSeconds ?? proof.validUntilSeconds ?? 0
  const hint = describeSkew(at.getTime() / 1000 - stamp, toleranceSeconds, isSignatureRight)
  return { kind: 'forged', reason: 'timestamp_outside_tolerance', ...(hint === undefined ? {} : { hint }) }
}

/** A key that does not fit the algorithm makes `node:crypto` throw; for a verdict that is a mismatch. */
function isMadeWith(proof: Proof, key: KeyObject): boolean {
  try {
    return proof.isMadeWith(key)
  } catch {
    return false
  }
}
