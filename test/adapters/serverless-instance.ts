import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { forkProgram } from '../support/compiled.ts'
import { until } from '../support/until.ts'

export type InstanceTask =
  | { readonly kind: 'deliver'; readonly id: string; readonly work: 'after_answer' | 'by_schedule' }
  | { readonly kind: 'cron'; readonly authorization: string }
  /** Lets a handler that waits go on. */
  | { readonly kind: 'release' }
  /** The platform sends nothing more. What still runs then is written to this file. */
  | { readonly kind: 'last'; readonly file: string }

export type InstanceReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'in_handler' }
  | { readonly kind: 'handled'; readonly outcome: string }

type Answered = Extract<InstanceReport, { readonly kind: 'answered' }>

/** A process of `serverless-child.ts`. */
export type Instance = {
  readonly child: ChildProcess
  readonly ended: Promise<unknown>
  readonly tell: (task: InstanceTask) => void
  /** Tells it, and waits for the answer to this. */
  readonly ask: (task: InstanceTask) => Promise<Answered>
  /** Waits until it has reported so many of a kind. */
  readonly reported: <Kind extends InstanceReport['kind']>(
    kind: Kind,
    count?: number,
  ) => Promise<readonly Extract<InstanceReport, { readonly kind: Kind }>[]>
}

export async function startInstance(environment: Readonly<Record<string, string>>): Promise<Instance> {
  const child = await forkProgram('test/adapters/serverless-child.ts', environment)
  const reports: InstanceReport[] = []
  child.on('message', (message) => reports.push(message as InstanceReport))
  const ended = once(child, 'exit').then(([code, signal]) => signal ?? code)
  const tell = (task: InstanceTask): void => void child.send(task)

  const reported: Instance['reported'] = (kind, count = 1) =>
    until(
      () => reports.flatMap((report) => (report.kind === kind ? [report as never] : [])),
      (found) => found.length >= count,
    )
  const ask: Instance['ask'] = async (task) => {
    const before = reports.filter(({ kind }) => kind === 'answered').length
    tell(task)
    const answers = await reported('answered', before + 1)
    return answers[before] as Answered
  }
  await reported('ready')
  return { child, ended, tell, ask, reported }
}
