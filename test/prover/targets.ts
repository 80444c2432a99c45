import { debianProgram, debianSoftware } from '../support/debian-package.ts'

/** A handler of examples/prove, and what the prover has to say about it. */
export type Target = {
  readonly name: string
  /** To be run in the folder of examples; `$PORT` is known. */
  readonly command: string
  /** Scenario by scenario: all that fail, and the cause that is named. */
  readonly fails: Readonly<Record<string, string>>
  readonly needs?: 'redis' | 'python' | 'php'
}

const lostByClaim = {
  'parent-missing': 'claim-then-process',
  'copies-of-failing': 'claim-then-process',
  'killed-while-processing': 'claim-then-process',
  'terminated-under-load': 'claim-then-process',
}

const doubledByRace = {
  'copies-at-once': 'select-then-insert',
  'copy-while-processing': 'select-then-insert',
  'killed-while-processing': 'separate-transactions',
  'terminated-under-load': 'separate-transactions',
}

export const targets: readonly Target[] = [
  { name: 'select-then-insert', command: 'exec node select-then-insert.mjs', fails: doubledByRace },
  {
    name: 'select-then-insert in PHP',
    command:
      'php select-then-insert.php && PHP_CLI_SERVER_WORKERS=8 exec php -S 127.0.0.1:$PORT select-then-insert.php',
    fails: doubledByRace,
    needs: 'php',
  },
  { name: 'claim-then-process', command: 'exec node claim-then-process.mjs', fails: lostByClaim },
  { name: 'redis-set-nx', command: 'exec node redis-set-nx.mjs', fails: lostByClaim, needs: 'redis' },
  {
    name: 'delete-on-failure',
    command: 'exec node delete-on-failure.mjs',
    fails: {
      'copies-of-failing': 'delete-on-failure',
      'killed-while-processing': 'delete-on-failure',
      'terminated-under-load': 'delete-on-failure',
    },
  },
  {
    name: 'acknowledge-first',
    command: 'exec node acknowledge-first.mjs',
    fails: {
      'parent-missing': 'acknowledged-before-durable',
      'copies-of-failing': 'acknowledged-before-durable',
      'killed-after-acknowledgement': 'acknowledged-before-durable',
      'terminated-under-load': 'acknowledged-before-durable',
    },
  },
  { name: 'inline-transaction', command: 'exec node inline-transaction.mjs', fails: {} },
  {
    name: 'inline-transaction in Python',
    command: 'exec /usr/bin/python3 inline_transaction.py',
    fails: {},
    needs: 'python',
  },
  { name: 'receipt-and-queue', command: 'exec node receipt-and-queue.mjs', fails: {} },
  { name: 'oncehook-inline', command: 'exec node oncehook-inline.mjs', fails: {} },
  { name: 'oncehook-queued', command: 'exec node oncehook-queued.mjs', fails: {} },
]

export function targetNamed(name: string): Target {
  const target = targets.find((known) => known.name === name)
  if (target === undefined) throw new Error(`There is no target ${name}.`)
  return target
}

/** Whether the language of a target is there, or could be installed. */
export async function isAvailable({ needs }: Target): Promise<boolean> {
  if (needs === undefined) return true
  switch (needs) {
    case 'python':
      return debianSoftware({
        name: 'psycopg2 of Python',
        packages: ['python3', 'python3-psycopg2'],
        check: '/usr/bin/python3 -c "import psycopg2"',
      })
    case 'php':
      return debianSoftware({
        name: 'PHP with pgsql',
        packages: ['php-cli', 'php-pgsql'],
        check: `php -r 'exit(function_exists("pg_connect") ? 0 : 1);'`,
      })
    case 'redis':
      return (await debianProgram('redis-server')) !== undefined
  }
}

/** What has to fail of these scenarios. */
export function expectedOf(target: Target, scenarios: readonly string[]): Readonly<Record<string, string>> {
  const hasCrashes = scenarios.includes('killed-after-acknowledgement')
  return Object.fromEntries(
    Object.entries(target.fails)
      .filter(([name]) => scenarios.includes(name))
      // Only a crash shows that it is not this one event that is forgotten, but whatever was acknowledged.
      .map(([name, cause]) => [
        name,
        cause === 'acknowledged-before-durable' && !hasCrashes ? 'swallows-unready-events' : cause,
      ]),
  )
}
