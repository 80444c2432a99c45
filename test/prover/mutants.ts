import type { ProverRun } from './run-prover.ts'

/** A guarantee that is broken on purpose, and what the prover has to say about it. */
export type Mutant = {
  readonly name: string
  /** Scenario by scenario: which fail, and the cause that is named. */
  readonly fails: Readonly<Record<string, string>>
  /** Run besides, and have to pass: they tell this cause from others. */
  readonly passes?: readonly string[]
  readonly run?: Pick<ProverRun, 'environment' | 'countBy' | 'options'>
}

export const mutants: readonly Mutant[] = [
  {
    name: 'no-unique-key',
    fails: {
      'repeated-delivery': 'no-deduplication',
      'copies-at-once': 'no-deduplication',
      'copy-while-processing': 'no-deduplication',
      'lost-acknowledgement': 'no-deduplication',
      'late-copy': 'no-deduplication',
      'changed-body': 'no-deduplication',
    },
    passes: ['new-events'],
  },
  {
    name: 'select-first',
    fails: { 'copies-at-once': 'select-then-insert' },
    passes: ['repeated-delivery', 'lost-acknowledgement', 'late-copy'],
  },
  {
    name: 'claim-apart',
    fails: { 'killed-while-processing': 'claim-then-process' },
    passes: ['repeated-delivery'],
  },
  {
    name: 'record-after',
    fails: { 'killed-while-processing': 'separate-transactions' },
    passes: ['copies-at-once', 'repeated-delivery'],
  },
  {
    name: 'acknowledge-first',
    fails: { 'killed-after-acknowledgement': 'acknowledged-before-durable' },
    passes: ['copies-at-once', 'repeated-delivery'],
  },
  { name: 'memory-only', fails: { 'copy-after-restart': 'memory-of-one-process' }, passes: ['copies-at-once'] },
  {
    name: 'record-after-answer',
    fails: { 'lost-acknowledgement': 'recorded-after-answer' },
    passes: ['repeated-delivery'],
  },
  {
    name: 'cancel-with-request',
    fails: { 'lost-acknowledgement': 'cancelled-with-request' },
    passes: ['copies-at-once'],
  },
  { name: 'delete-on-failure', fails: { 'copies-of-failing': 'delete-on-failure' }, passes: ['parent-missing'] },
  { name: 'swallows-unready', fails: { 'parent-missing': 'swallows-unready-events' }, passes: ['repeated-delivery'] },
  { name: 'forgets', fails: { 'late-copy': 'retention-too-short' }, passes: ['copies-at-once'] },
  { name: 'body-hash', fails: { 'changed-body': 'dedup-on-body-hash' }, passes: ['repeated-delivery'] },
  {
    name: 'broad-key',
    fails: { 'new-events': 'swallows-new-events' },
    passes: ['unsigned'],
    run: { options: { patienceSeconds: 2 } },
  },
  { name: 'last-writer-wins', fails: { 'older-after-newer': 'last-writer-wins', 'random-order': 'last-writer-wins' } },
  { name: 'one-change-twice', fails: { 'same-change': 'one-change-twice' }, run: { countBy: 'object' } },
  { name: 'refuses-duplicates', fails: { 'repeated-delivery': 'duplicates-refused' }, passes: ['new-events'] },
  {
    name: 'not-verified',
    fails: {
      'wrong-secret': 'not-verified',
      'bad-signature': 'not-verified',
      unsigned: 'not-verified',
      'changed-byte': 'not-verified',
      'stale-signature': 'not-verified',
    },
    passes: ['pretty-body'],
  },
  {
    name: 'unsigned-passes',
    fails: { unsigned: 'missing-signature-accepted' },
    passes: ['wrong-secret', 'bad-signature', 'changed-byte', 'stale-signature'],
  },
  {
    name: 'no-timestamp-check',
    fails: { 'stale-signature': 'no-timestamp-check' },
    passes: ['wrong-secret', 'bad-signature', 'unsigned', 'changed-byte'],
  },
  { name: 'parsed-body', fails: { 'pretty-body': 'parsed-body-verified' }, passes: ['changed-byte', 'wrong-secret'] },
  {
    name: 'effect-before-verification',
    fails: { 'wrong-secret': 'effect-before-verification', unsigned: 'effect-before-verification' },
    passes: ['repeated-delivery'],
  },
  { name: 'throws-on-bad-input', fails: { 'hostile-input': 'fails-on-bad-input' }, passes: ['unsigned'] },
  { name: 'takes-anything', fails: { 'hostile-input': 'fails-on-bad-input' }, passes: ['unsigned'] },
  {
    name: 'silent-on-bad-input',
    fails: { 'hostile-input': 'fails-on-bad-input' },
    run: { options: { deadlineSeconds: 1 } },
  },
  { name: 'slow', fails: { deadline: 'too-slow' }, run: { options: { deadlineSeconds: 1 } } },
]
