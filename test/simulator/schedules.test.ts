import { describe, expect, test } from 'vitest'
import { loadProvider, providerNames } from '../../src/cli/provider-catalogue.ts'
import { mollie } from '../../src/providers/mollie.ts'
import { type RetryPlan, retryPlanOf } from '../../src/simulator/retry-plan.ts'
import { type DocumentedSchedule, documentedSchedules } from './documented-schedules.ts'

const everyone = Object.entries(documentedSchedules)

describe('the planned attempts', () => {
  test('are known for every provider of the catalogue', () => {
    expect(Object.keys(documentedSchedules)).toEqual(providerNames)
  })

  test.each(having('pauses'))('of %s have the pauses of its documents', async (name, { pauses }) => {
    const { pausesSeconds, schedule } = await planOf(name)
    const listed = secondsOf(pauses)

    expect(pausesSeconds.slice(0, listed.length)).toEqual(listed)
    expect(pausesSeconds.length > listed.length).toBe(pauses.endsWith('…'))
    expect(schedule === 'documented' || pauses.endsWith('…')).toBe(true)
  })

  test.each(having('retries'))('of %s are as many as in its documents', async (name, { retries }) => {
    expect((await planOf(name)).pausesSeconds).toHaveLength(retries)
  })

  test.each(having('hours'))('of %s last as long as in its documents', async (name, { hours }) => {
    const plan = await planOf(name)

    expect(hoursOf(plan)).toBeLessThanOrEqual(hours * 1.06)
    expect(hoursOf(plan)).toBeGreaterThanOrEqual(hours * 0.47)
  })

  test('have the deadlines of the documents, and say where there is none', async () => {
    for (const [name, { deadlineSeconds }] of everyone) {
      const plan = await planOf(name)

      expect([name, plan.deadlineSeconds]).toEqual([name, deadlineSeconds ?? 10])
      expect([name, plan.notes.some((note) => note.startsWith('How long it waits'))]).toEqual([
        name,
        deadlineSeconds === undefined,
      ])
    }
  })

  test('say what is not documented, and what is done in its place', async () => {
    for (const [name, documented] of everyone) {
      const { schedule, notes } = await planOf(name)
      const isSaid = /(?:Retries|pauses|tries again|gives up)\b.* not documented; simulated as/.test(notes.join(' '))
      const isSilent = Object.keys(documented).every((fact) => fact === 'deadlineSeconds')

      expect([name, isSaid]).toEqual([name, schedule !== 'documented'])
      expect([name, schedule === 'not_documented']).toEqual([name, isSilent])
    }
  })

  test('of Mollie’s classic webhooks are ten within 26 hours', () => {
    const plan = retryPlanOf(mollie({ secret: 'a-secret-that-is-long-enough', generation: 'classic' }).facts)
    const sums = plan.pausesSeconds.map((_, index) => sum(plan.pausesSeconds.slice(0, index + 1)))

    expect(sums).toEqual(secondsOf('1 3 7 15 31 min, 1 2 4 26 h'))
  })
})

type Entry<Fact extends keyof DocumentedSchedule> = readonly [string, Required<Pick<DocumentedSchedule, Fact>>]

/** The providers whose documents say this. */
function having<Fact extends keyof DocumentedSchedule>(fact: Fact): readonly Entry<Fact>[] {
  return everyone.flatMap(([name, schedule]): readonly Entry<Fact>[] =>
    schedule[fact] === undefined ? [] : [[name, schedule as Required<Pick<DocumentedSchedule, Fact>>]],
  )
}

async function planOf(name: string): Promise<RetryPlan> {
  const make = await loadProvider(name)
  if (make === undefined) throw new Error(`There is no provider ${name}.`)
  return retryPlanOf(make({ unverified: true }).facts)
}

const units: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3_600, d: 86_400 }

/** `5 30 min, 2 h` as seconds. */
function secondsOf(text: string): readonly number[] {
  return text
    .replace(' …', '')
    .split(', ')
    .flatMap((part) => {
      const words = part.split(' ')
      const unit = units[words.at(-1) ?? ''] ?? Number.NaN
      return words.slice(0, -1).map((figure) => Number(figure) * unit)
    })
}

function hoursOf({ pausesSeconds }: RetryPlan): number {
  return sum(pausesSeconds) / 3_600
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
