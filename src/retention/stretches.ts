import type { RetentionStore, SourcePlan } from '../store/retention-store.ts'

/** A part of the ledger that is to be walked, for sources that keep something equally long. */
export type Stretch = { readonly sources: readonly string[]; readonly after: string; readonly beforeId: string }

export type Stretches = {
  readonly bodies: readonly Stretch[]
  readonly receipts: readonly Stretch[]
  readonly keys: readonly Stretch[]
  /** By the database's clock. */
  readonly now: Date
}

/** Transactions that stayed open for long have later ids than their age says. */
const marginDays = 1 / 24

/** What is past its days and was not looked at yet. */
export async function findStretches(store: RetentionStore, plan: readonly SourcePlan[]): Promise<Stretches> {
  const wishes = [
    ...plan.flatMap((source) => bodyWish(source)),
    ...plan.map(receiptWish),
    ...plan.flatMap((source) => keyWish(source)),
  ]
  const groups = groupsOf(wishes)
  const { firstIds, countedTo, now } = await store.survey(groups.map(({ days }) => days))
  const stretches = groups.map(({ kind, sources, after, mostIds }, index) => {
    // Never beyond what was counted, so that the figures of the days stay right.
    const beforeId = smallest([firstIds[index] ?? '0', String(BigInt(countedTo) + 1n), ...mostIds])
    return { kind, sources, after, beforeId }
  })
  const ofKind = (wanted: Wish['kind']): readonly Stretch[] =>
    stretches.filter(({ kind, after, beforeId }) => kind === wanted && BigInt(after) + 1n < BigInt(beforeId))
  return { bodies: ofKind('bodies'), receipts: ofKind('receipts'), keys: ofKind('keys'), now }
}

/** What one source wants walked: from where on, and up to which age. */
type Wish = {
  readonly kind: 'bodies' | 'receipts' | 'keys'
  readonly source: string
  readonly days: number
  readonly after: string
  /** Only receipts with smaller ids, whatever their age. */
  readonly mostId?: string
}

function bodyWish({ source, keepBodyDays, bodiesPrunedTo, needsPruneBodies }: SourcePlan): readonly Wish[] {
  return needsPruneBodies ? [{ kind: 'bodies', source, days: keepBodyDays + marginDays, after: bodiesPrunedTo }] : []
}

/** Where a key has to stay, a receipt goes only long after its key was kept. */
function receiptWish({ source, keepDays, prunedTo, keepsKeys, keysKeptTo, areKeysSettled }: SourcePlan): Wish {
  const wish = { kind: 'receipts', source, days: keepDays, after: prunedTo } as const
  return keepsKeys ? { ...wish, mostId: areKeysSettled ? String(BigInt(keysKeptTo) + 1n) : '0' } : wish
}

function keyWish({ source, keepDays, keepsKeys, keysKeptTo, areKeysSettled }: SourcePlan): readonly Wish[] {
  return keepsKeys && areKeysSettled ? [{ kind: 'keys', source, days: keepDays, after: keysKeptTo }] : []
}

type Group = Pick<Wish, 'kind' | 'days' | 'after'> & {
  readonly sources: readonly string[]
  readonly mostIds: readonly string[]
}

/** Sources whose receipts end at the same age are walked together. */
function groupsOf(wishes: readonly Wish[]): readonly Group[] {
  const groups = new Map<string, Wish[]>()
  for (const wish of wishes) {
    const key = [wish.kind, wish.days, wish.mostId ?? ''].join(' ')
    groups.set(key, [...(groups.get(key) ?? []), wish])
  }
  return [...groups.values()].flatMap((members) => {
    const [first] = members
    if (first === undefined) return []
    const { kind, days, mostId } = first
    const after = smallest(members.map((wish) => wish.after))
    const sources = members.map(({ source }) => source)
    return [{ kind, days, after, sources, mostIds: mostId === undefined ? [] : [mostId] }]
  })
}

function smallest(ids: readonly string[]): string {
  return String(ids.map(BigInt).reduce((one, other) => (one < other ? one : other)))
}
