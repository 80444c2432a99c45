import { causeNamed } from '../../src/prover/causes.ts'
import type { ProverReport } from '../../src/prover/prove.ts'

/** A report of a run with a failure, as the prover would give it. */
export const failedReport: ProverReport = {
  verdict: 'unsafe',
  why: undefined,
  provider: 'stripe',
  target: 'http://127.0.0.1:4500/stripe',
  seed: 'a1b2c3d4',
  startedAt: '2026-11-16T04:00:00.000Z',
  milliseconds: 12_345,
  blindSpots: ['What a crash does: the prover was not told how to start the server.'],
  scenarios: [
    {
      name: 'single-delivery',
      group: 'copies',
      promise: 'A signed event is acknowledged and takes effect once.',
      status: 'passed',
      saw: '1 delivery → 1 effect',
      milliseconds: 250,
    },
    {
      name: 'copies-at-once',
      group: 'copies',
      promise: 'Many copies of one event that arrive at the same moment take effect once.',
      status: 'failed',
      saw: '50 copies at once → 3 effects (evt_0123456789abcdef01234567: 3)',
      milliseconds: 480,
      cause: causeNamed('select-then-insert'),
      affected: ['evt_0123456789abcdef01234567'],
      timeline: [
        ...Array.from({ length: 6 }, (_, copy) => ({
          kind: 'delivery' as const,
          label: `copy ${copy + 1}`,
          eventId: 'evt_0123456789abcdef01234567',
          from: 2 + copy * 0.1,
          to: 20 + copy * 4,
          outcome: copy === 5 ? 'ECONNRESET' : '200',
          tone: copy === 5 ? ('bad' as const) : ('good' as const),
        })),
        { kind: 'mark', label: 'counted: 3 effects', at: 60, tone: 'bad' },
      ],
    },
    {
      name: 'hostile-input',
      group: 'input',
      promise: 'Malformed and hostile bodies are answered with a 4xx.',
      status: 'unseen',
      saw: '<script>wasRun = 1</script> "quoted" & \u0007',
      milliseconds: 40,
    },
    {
      name: 'copy-after-restart',
      group: 'crashes',
      promise: 'A copy is still known after the process was started anew.',
      status: 'skipped',
      saw: 'The prover may only kill what it has started: give --start',
      milliseconds: 0,
    },
  ],
}
