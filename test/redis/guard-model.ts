import type { HistoryEntry, Schedule } from './guard-simulation.ts'
import { limits } from './guard-simulation.ts'

/** What a guard's key is by the promises alone, without a word of Lua. */
type Model = {
  readonly state: 'unknown' | 'processing' | 'free' | 'done' | 'dead'
  readonly token: string
  readonly fence: number
  readonly until: number
  readonly attempts: number
  readonly result: string
}

const nothing: Model = { state: 'unknown', token: '', fence: 0, until: 0, attempts: 0, result: '' }

/** Everything in a schedule that breaks a promise, in sentences. */
export function mistakesIn(schedule: Schedule): readonly string[] {
  return [...replay(schedule.history), ...promisesBroken(schedule)].map(
    (mistake) => `seed ${schedule.seed}: ${mistake}`,
  )
}

/** Follows the history with the model: whatever Redis said must be what the model says. */
function replay(history: readonly HistoryEntry[]): readonly string[] {
  const mistakes: string[] = []
  let model = nothing
  history.forEach((entry, index) => {
    const { expected, next } = stepOf(model, entry)
    const said = 'said' in entry ? shortOf(entry.said) : undefined
    if (said !== expected) mistakes.push(`entry ${index} (${entry.kind}) said ${said} instead of ${expected}`)
    model = next(entry)
  })
  return mistakes
}

type Step = { readonly expected: string | undefined; readonly next: (entry: HistoryEntry) => Model }

function stepOf(model: Model, entry: HistoryEntry): Step {
  const stay = (expected: string | undefined): Step => ({ expected, next: () => model })
  const { at } = entry
  switch (entry.kind) {
    case 'effect':
      return stay(undefined)
    case 'claim': {
      if (model.state === 'done') return stay(`done ${model.result}`)
      if (model.state === 'dead') return stay('dead')
      const isOwn = model.state === 'processing' && model.token === entry.token
      const until = at + limits.leaseMilliseconds
      if (isOwn) return { expected: `claimed ${model.attempts}`, next: () => ({ ...model, until }) }
      if (model.state === 'processing' && model.until > at) return stay('busy')
      if (model.attempts >= limits.maxAttempts) return { expected: 'dead', next: () => ({ ...model, state: 'dead' }) }
      const attempts = model.attempts + 1
      const fence = 'said' in entry && entry.said.kind === 'claimed' ? entry.said.fence : 0
      const next: Model = { ...model, state: 'processing', token: entry.token, fence, until, attempts }
      return { expected: `claimed ${attempts}`, next: () => next }
    }
    case 'renew': {
      const isHeld = model.state === 'processing' && model.token === entry.held.token
      const until = at + limits.leaseMilliseconds
      return isHeld ? { expected: 'true', next: () => ({ ...model, until }) } : stay('false')
    }
    case 'complete': {
      const isMine = model.token === entry.held.token
      if (isMine && model.state === 'done') return stay('true')
      if (!isMine || model.state !== 'processing') return stay('false')
      return { expected: 'true', next: () => ({ ...model, state: 'done', result: entry.result }) }
    }
    case 'release': {
      if (model.state !== 'processing' || model.token !== entry.held.token) return stay('false')
      const attempts = entry.how === 'unused' ? model.attempts - 1 : model.attempts
      const isDead = entry.how === 'dead' || (entry.how === 'failed' && attempts >= limits.maxAttempts)
      return { expected: 'true', next: () => ({ ...model, attempts, state: isDead ? 'dead' : 'free' }) }
    }
  }
}

function shortOf(said: Extract<HistoryEntry, { said: unknown }>['said']): string {
  if (typeof said === 'boolean') return String(said)
  if (said.kind === 'claimed') return `claimed ${said.attempt}`
  return said.kind === 'done' ? `done ${said.result}` : said.kind
}

/** The promises themselves, which hold whatever the model may be. */
function promisesBroken({ history, outcomes }: Schedule): readonly string[] {
  const mistakes: string[] = []
  const demand = (isRight: boolean, mistake: string): void => void (isRight || mistakes.push(mistake))
  const fences = grantsIn(history).map(({ fence }) => fence)
  demand(
    fences.every((fence, index) => index === 0 || fence > (fences[index - 1] ?? 0)),
    `fences do not rise: ${fences.join(', ')}`,
  )
  const done = new Set(history.flatMap((entry) => (entry.kind === 'complete' && entry.said ? [entry.held.fence] : [])))
  demand(done.size <= 1, `the work is recorded as done ${done.size} times`)
  const [doneFence] = done
  demand(doneFence === undefined || doneFence === fences.at(-1), 'it was done under a claim that was not the last')

  const ran = outcomes.filter(({ kind }) => kind === 'ran')
  demand(ran.length <= 1, `${ran.length} calls were told that they had done it`)
  const results = new Set(outcomes.flatMap((outcome) => ('result' in outcome ? [outcome.result] : [])))
  demand(results.size <= 1, `there are ${results.size} results`)

  // A resource that refuses lower fences ends with what the one wrote who did it for good.
  const kept = effectsIn(history).reduce((highest, fence) => (fence >= highest ? fence : highest), 0)
  demand(
    doneFence === undefined || kept === doneFence,
    `a fenced resource holds ${kept}, but ${doneFence} did the work`,
  )
  demand(
    outcomes.some(({ kind }) => kind === 'ran' || kind === 'known' || kind === 'dead'),
    'it never came to an end',
  )
  return mistakes
}

/** The first grant of each claim: a claim that is sent again has its fence already. */
function grantsIn(history: readonly HistoryEntry[]): readonly { readonly token: string; readonly fence: number }[] {
  const grants = new Map<string, number>()
  for (const entry of history) {
    if (entry.kind === 'claim' && entry.said.kind === 'claimed')
      grants.set(`${entry.token} ${entry.said.fence}`, entry.said.fence)
  }
  return [...grants].map(([token, fence]) => ({ token, fence }))
}

function effectsIn(history: readonly HistoryEntry[]): readonly number[] {
  return history.flatMap((entry) => (entry.kind === 'effect' ? [entry.fence] : []))
}

/** What happened in it: a check over schedules in which nothing happens proves nothing. */
export function happeningsIn({ history, outcomes }: Schedule): Readonly<Record<string, boolean>> {
  const effects = effectsIn(history)
  const done = history.find((entry) => entry.kind === 'complete' && entry.said)
  const late = history.filter((entry) => entry.kind === 'complete' && !entry.said)
  return {
    'a claim was taken over': grantsIn(history).length > 1,
    'a late holder was refused': late.length > 0,
    'the work was done': done !== undefined,
    'it ended dead': outcomes.some(({ kind }) => kind === 'dead'),
    'somebody was refused': outcomes.some(({ kind }) => kind === 'busy'),
    'somebody was told that it was done': outcomes.some(({ kind }) => kind === 'known'),
    'somebody lost the claim': outcomes.some(({ kind }) => kind === 'lost'),
    'it took effect twice outside': effects.length > 1,
    'a late effect came after a newer one': effects.some(
      (fence, index) => fence < Math.max(0, ...effects.slice(0, index)),
    ),
  }
}
