import { describe, expect, test } from 'vitest'
import type { HealthReport, SourceHealth } from '../index.ts'
import type { Paint } from './colour.ts'
import { statusDocument, statusText } from './status-texts.ts'

const plain: Paint = (_, text) => text
const marked: Paint = (colour, text) => `<${colour}>${text}</>`
const view = { now: new Date(2026, 0, 2, 3, 4, 5), paint: plain }

function source(parts: Partial<SourceHealth> = {}): SourceHealth {
  return {
    source: 'stripe',
    received: 90,
    duplicates: 10,
    baseline: { deliveries: 1000, duplicates: 21 },
    firstAttempts: 200,
    firstAttemptsFailed: 1,
    waiting: 0,
    running: 0,
    due: 0,
    oldestDueSeconds: undefined,
    deadLetters: 0,
    ...parts,
  }
}

function report(parts: Partial<HealthReport> = {}): HealthReport {
  return {
    environment: 'default',
    windowSeconds: 3600,
    countedUpTo: 10_000,
    sources: [source()],
    targets: [],
    ledger: { rows: 1_204_331, addedLastDay: 68_020, isEstimate: true },
    ...parts,
  }
}

describe('how things stand', () => {
  test('is three numbers and a line for each source', () => {
    const github = source({ source: 'github', received: 0, duplicates: 0, firstAttempts: 0, firstAttemptsFailed: 0 })
    const waiting = { waiting: 10_000, due: 10_000, oldestDueSeconds: 180, deadLetters: 4 }

    const text = statusText(report({ sources: [{ ...github, ...waiting }, source()] }), view)

    expect(text.split('\n')).toEqual([
      'default, last 1 h  2026-01-02 03:04:05',
      '',
      '  Failed at first  0.5 %  of events at their first attempt',
      '  Known already    10 %  of deliveries; 2.1 % in the week before',
      '  Ledger           about 1,204,331 receipts, about 68,020 of them from the last day',
      '',
      'SOURCE  RECEIVED  FAILED AT FIRST  KNOWN ALREADY  WEEK BEFORE  WAITING  OLDEST DUE  DEAD',
      'github         0                -              -        2.1 %  10,000+       3 min     4',
      'stripe        90            0.5 %           10 %        2.1 %        0           -     0',
    ])
  })

  test('has a table for targets only where messages wait or are dead', () => {
    const mail = { target: 'mail', waiting: 3, running: 0, due: 3, oldestDueSeconds: 4, deadLetters: 2 }

    const text = statusText(report({ targets: [mail] }), view)

    expect(text).toMatch(/\n\nTARGET {2}WAITING {2}OLDEST DUE {2}DEAD\nmail {10}3 {7}4\.0 s {5}2$/)
  })

  test('says so where nothing has come yet', () => {
    const empty = report({ sources: [], ledger: { rows: 0, addedLastDay: 0, isEstimate: false } })

    expect(statusText(empty, view)).toMatch(/no week before to compare with\n.*\n\nNothing has come yet\.$/)
  })

  test('marks what is out of the ordinary', () => {
    const late = source({ oldestDueSeconds: 61, deadLetters: 1, firstAttemptsFailed: 100 })

    const text = statusText(report({ sources: [late] }), { ...view, paint: marked })

    expect(text).toContain('<red>50 %</>')
    expect(text).toContain('<red>10 %</>')
    expect(text).toContain('<red>1 min</>')
    expect(text).toContain('<red>1</>')
  })

  test('is calm about duplicates that are as usual', () => {
    const usual = source({ baseline: { deliveries: 100, duplicates: 10 } })

    expect(statusText(report({ sources: [usual] }), { ...view, paint: marked })).not.toContain('<red>')
  })

  test('has the rates for machines too, of each source and of all', () => {
    expect(statusDocument(report())).toMatchObject({
      firstAttemptErrorRate: 0.005,
      duplicateRate: 0.1,
      usualDuplicateRate: 0.021,
      sources: [{ source: 'stripe', duplicateRate: 0.1 }],
    })
  })
})
