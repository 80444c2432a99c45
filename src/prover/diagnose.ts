import type { CauseName } from './causes.ts'
import type { Finding, Symptom } from './findings.ts'

/** What the scenarios of a run found, by name. */
export type Findings = ReadonlyMap<string, Finding>

/** The likely cause of one failure. What the other scenarios found tells causes with the same symptom apart. */
export function diagnose(scenario: string, symptom: Symptom, findings: Findings): CauseName {
  const isFailed = (name: string, as?: Symptom): boolean => {
    const finding = findings.get(name)
    return finding?.kind === 'failed' && (as === undefined || finding.symptom === as)
  }
  switch (symptom) {
    case 'doubled':
      if (scenario === 'same-change') return 'one-change-twice'
      if (isFailed('repeated-delivery', 'doubled')) return 'no-deduplication'
      if (scenario !== 'copy-after-restart' && isAboutCrashes(scenario) && isFailed('copy-after-restart', 'doubled')) {
        return 'memory-of-one-process'
      }
      return doubledIn[scenario] ?? (isAboutCrashes(scenario) ? 'separate-transactions' : 'no-deduplication')
    case 'lost':
      if (scenario === 'new-events' || scenario === 'deadline' || isFailed('new-events', 'lost')) {
        return 'swallows-new-events'
      }
      if (scenario === 'lost-acknowledgement') return 'cancelled-with-request'
      if (scenario === 'copies-of-failing') {
        return isFailed('parent-missing') ? lossOfParent(findings) : 'delete-on-failure'
      }
      return isAboutCrashes(scenario) && isFailed('copies-of-failing') && !isFailed('parent-missing')
        ? 'delete-on-failure'
        : 'claim-then-process'
    case 'lost_after_acknowledgement':
      return scenario === 'parent-missing' && !isFailed('killed-after-acknowledgement')
        ? 'swallows-unready-events'
        : 'acknowledged-before-durable'
    case 'not_acknowledged':
      return isAboutCrashes(scenario) ? 'does-not-recover' : 'duplicates-refused'
    case 'accepted':
      return acceptedIn(scenario, isFailed)
    case 'refused':
      return 'parsed-body-verified'
    case 'effect_despite_refusal':
      return 'effect-before-verification'
    case 'bad_answer':
      return 'fails-on-bad-input'
    case 'too_slow':
      return 'too-slow'
    case 'overwritten':
      return 'last-writer-wins'
    case 'not_running':
      return 'does-not-recover'
  }
}

const doubledIn: Readonly<Record<string, CauseName>> = {
  'copies-at-once': 'select-then-insert',
  'copy-while-processing': 'select-then-insert',
  'lost-acknowledgement': 'recorded-after-answer',
  'late-copy': 'retention-too-short',
  'changed-body': 'dedup-on-body-hash',
  'copy-after-restart': 'memory-of-one-process',
}

function isAboutCrashes(scenario: string): boolean {
  return [
    'killed-while-processing',
    'killed-after-acknowledgement',
    'terminated-under-load',
    'copy-after-restart',
  ].includes(scenario)
}

function lossOfParent(findings: Findings): CauseName {
  const finding = findings.get('parent-missing')
  return finding?.kind === 'failed' ? diagnose('parent-missing', finding.symptom, findings) : 'claim-then-process'
}

function acceptedIn(scenario: string, isFailed: (name: string, as?: Symptom) => boolean): CauseName {
  const isBlind = isFailed('wrong-secret', 'accepted') || isFailed('bad-signature', 'accepted')
  if (isBlind) return 'not-verified'
  if (scenario === 'unsigned') return 'missing-signature-accepted'
  if (scenario === 'stale-signature') return 'no-timestamp-check'
  if (isFailed('pretty-body', 'refused')) return 'parsed-body-verified'
  return scenario === 'changed-byte' ? 'body-not-covered' : 'not-verified'
}
