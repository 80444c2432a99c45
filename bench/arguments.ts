import { parseArgs } from 'node:util'
import { fullSettings, quickSettings, type Settings } from './settings.ts'

export type BenchArguments = {
  readonly settings: Settings
  /** Names of sections, or undefined for all. */
  readonly only: readonly string[] | undefined
  /** Whether the table and the picture go into the documentation. */
  readonly isPublished: boolean
  /** Whether the figures that `bench/results.json` has of other sections stay, so that a long run can be made in parts. */
  readonly isAdded: boolean
  /** A build to measure instead of that of the sources here. */
  readonly build: string | undefined
}

export const usage = `npm run bench                        everything, at least 5 rounds, about an hour
npm run bench -- --quick             1 round, less than 3 minutes, without redis, prune and admin
npm run bench -- --only door,worker  only these: SECTIONS
npm run bench -- --rounds 9          more rounds, or fewer
npm run bench -- --write             also puts table and picture into docs/
npm run bench -- --add               keeps what was measured of other sections, with the same settings
npm run bench -- --build <folder>    measures another build of Oncehook, for comparisons`

/** Throws a sentence that says what is wrong. */
export function readArguments(given: readonly string[], sections: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...given],
    options: {
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      add: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string' },
      build: { type: 'string' },
    },
  })
  const base = values.quick ? quickSettings : fullSettings
  const rounds = values.rounds === undefined ? base.rounds : Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number above 0.')
  const only = values.only?.split(',').map((name) => name.trim())
  const unknown = only?.filter((name) => !sections.includes(name)) ?? []
  if (unknown.length > 0)
    throw new Error(`There is no section ${unknown.join(', ')}. Sections: ${sections.join(', ')}.`)
  return { settings: { ...base, rounds }, only, isPublished: values.write, isAdded: values.add, build: values.build }
}
