import type { Random } from '../testing/random.ts'

/** What happens next, and to which thing. */
export type NextStep = {
  readonly type: string
  /** Names the thing; the same for all events about it. */
  readonly object: string
  /** The how manieth event about it this is, from 1 on. */
  readonly version: number
}

type Life = { readonly object: string; readonly types: readonly string[]; lived: number }

/** More things than this are not under way at once. */
const mostLives = 20

/** Chooses events so that they tell stories: a thing is made, changes a few times and comes to its end, while others do the same. */
export function createLives(types: readonly string[], random: Random): () => NextStep {
  const kinds = kindsOf(types)
  const lives: Life[] = []
  let born = 0

  const begin = (): Life => {
    const kind = weighted(kinds, random)
    born += 1
    const life = { object: `${kind.noun} ${born}`, types: courseOf(kind.types, random), lived: 0 }
    lives.push(life)
    return life
  }

  return () => {
    const isNew = lives.length === 0 || (lives.length < mostLives && random.fraction() < 0.5)
    const life = isNew ? begin() : (lives[random.below(lives.length)] as Life)
    const type = life.types[life.lived] as string
    life.lived += 1
    if (life.lived === life.types.length) lives.splice(lives.indexOf(life), 1)
    return { type, object: life.object, version: life.lived }
  }
}

type Kind = { readonly noun: string; readonly types: readonly string[] }

/** Types about the same kind of thing, in the order of a life: `orders/create` before `orders/paid`. */
function kindsOf(types: readonly string[]): readonly Kind[] {
  const kinds = new Map<string, string[]>()
  for (const type of types) {
    const noun = nounOf(type)
    const known = kinds.get(noun)
    if (known === undefined) kinds.set(noun, [type])
    else known.push(type)
  }
  return [...kinds].map(([noun, own]) => ({
    noun,
    types: own.toSorted((one, other) => ageOf(one) - ageOf(other)),
  }))
}

function nounOf(type: string): string {
  const end = Math.max(...['.', '/', ':'].map((separator) => type.lastIndexOf(separator)))
  if (end > 0) return type.slice(0, end)
  return type.replace(/^(?:create|update|delete|comment)(?=[A-Z])/, '').replace(/_[a-z]+$/, '')
}

/** 0 for what begins a life, 2 for what ends it, 1 for all between. */
function ageOf(type: string): number {
  const word = type.toLowerCase()
  if (/creat|open|add|start|activat|authori|pending|new|sent/.test(word)) return 0
  return /delet|remov|cancel|clos|uninstall|refund|expir|revok|archiv|fail|complet|chargeback|ended/.test(word) ? 2 : 1
}

/** The first types of a provider are the most typical ones. */
function weighted(kinds: readonly Kind[], random: Random): Kind {
  const weights = kinds.map((_, index) => 1 / (index + 1))
  let rest = random.fraction() * weights.reduce((sum, weight) => sum + weight, 0)
  const index = weights.findIndex((weight) => {
    rest -= weight
    return rest < 0
  })
  return kinds[Math.max(0, index)] as Kind
}

/** Not every thing lives to its end, and changes come more than once. */
function courseOf(types: readonly string[], random: Random): readonly string[] {
  const reached = types.slice(0, 1 + random.below(types.length))
  return reached.flatMap((type) =>
    ageOf(type) === 1 ? Array.from({ length: 1 + random.below(3) }, () => type) : [type],
  )
}
