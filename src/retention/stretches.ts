import type { RetentionStore, SourcePlan } from '../store/retention-store.ts'

/** A part of the ledger that is to be walked, for sources that keep something equally long. */
export type Stretch = { readonly sources: readonly string[]; readonly after: string; readonly beforeId: string }

export type Stretches = {
  readonly bodies: readonly Stretch[]
  readonly receipts: readonly Stretch[]
  /** By the database's clock. */
  readonly now: Date
}

/** Transactions that stayed open for long have later ids than their age says. */
const marginDays = 1 / 24

/** What is past its days and was not looked at yet. */
export async function findStretches(store: RetentionStore, plan: readonly SourcePlan[]): Promise<Stretches> {
  const bodies = groupsOf(
    plan.filter(({ needsPruneBodies }) => needsPruneBodies),
    (source) => ({ days: source.keepBodyDays + marginDays, prunedTo: source.bodiesPrunedTo }),
  )
  const receipts = groupsOf(plan, (source) => ({ days: source.keepDays, prunedTo: source.prunedTo }))
  const { firstIds, countedTo, now } = await store.survey([...bodies, ...receipts].map(({ days }) => days))
  // Never beyond what was counted, so that the figures of the days stay right.
  const stretches = [...bodies, ...receipts].map(({ sources, after }, index) => ({
    sources,
    after,
    beforeId: smallest([firstIds[index] ?? '0', String(BigInt(countedTo) + 1n)]),
  }))
  return {
    bodies: stretches.slice(0, bodies.length).filter(hasLength),
    receipts: stretches.slice(bodies.length).filter(hasLength),
    now,
  }
}

type Group = { readonly days: number; readonly sources: readonly string[]; readonly after: string }

function groupsOf(
  plan: readonly SourcePlan[],
  read: (source: SourcePlan) => { readonly days: number; readonly prunedTo: string },
): readonly Group[] {
  const ages = new Set(plan.map((source) => read(source).days))
  return [...ages].map((days) => {
    const members = plan.filter((source) => read(source).days === days)
    return {
      days,
      sources: members.map(({ source }) => source),
      after: smallest(members.map((source) => read(source).prunedTo)),
    }
  })
}

function hasLength({ after, beforeId }: Stretch): boolean {
  return BigInt(after) + 1n < BigInt(beforeId)
}

function smallest(ids: readonly string[]): string {
  return String(ids.map(BigInt).reduce((one, other) => (one < other ? one : other)))
}
