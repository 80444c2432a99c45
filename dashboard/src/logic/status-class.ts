/** How something stands, in five colours. */
export type StatusClass = 'good' | 'busy' | 'warn' | 'bad' | 'quiet'

const classes: Readonly<Record<string, StatusClass>> = {
  processed: 'good',
  succeeded: 'good',
  succeed: 'good',
  published: 'good',
  applied: 'good',
  added: 'good',
  accepted: 'good',
  done: 'good',
  completed: 'good',
  handshake: 'good',
  authentic: 'good',
  in_use: 'good',
  received: 'busy',
  processing: 'busy',
  pending: 'busy',
  running: 'busy',
  retrying: 'warn',
  deferred: 'warn',
  defer: 'warn',
  abandoned: 'warn',
  refused: 'warn',
  forged: 'warn',
  malformed: 'warn',
  mutated: 'warn',
  failed: 'bad',
  fail: 'bad',
  dead: 'bad',
  unavailable: 'bad',
}

/** Anything that is not known is neither good nor bad. */
export function classOfStatus(status: string): StatusClass {
  return Object.hasOwn(classes, status) ? (classes[status] ?? 'quiet') : 'quiet'
}

export function classOfHttp(status: number): StatusClass {
  if (status >= 500 || status === 0) return 'bad'
  if (status >= 400) return 'warn'
  if (status >= 300) return 'busy'
  return status >= 200 ? 'good' : 'quiet'
}
