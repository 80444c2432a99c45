import type { Paint } from '../colour.ts'
import { drawFacts } from '../table.ts'
import { type Change, frameworkTitle, type Plan } from './plan.ts'
import type { Project } from './project.ts'
import { storeTemplates } from './stores/all-stores.ts'

/** What was seen, so that a wrong guess is noticed before anything is written. */
export function projectText(project: Project, provider: string): string {
  const { framework, store, language, testRunner, packageManager } = project
  return drawFacts([
    ['  Framework', `${frameworkTitle(framework)} (--framework)`],
    ['  Database', `PostgreSQL by way of ${storeTemplates[store].title} (--orm)`],
    ['  Provider', `${provider} (--provider)`],
    ['  Language', language === 'typescript' ? 'TypeScript' : 'JavaScript'],
    ['  Tests', testRunner === 'node' ? 'node:test' : testRunner],
    ['  Packages', packageManager],
  ])
}

/** What would be written, as "diff" shows it. */
export function diffText(changes: readonly Change[], paint: Paint): string {
  return changes
    .filter(({ kind }) => kind !== 'there')
    .map(({ path, kind, text }) => {
      const added = text.replace(/^\n/, '').replace(/\n$/, '').split('\n')
      const before = kind === 'new' ? '/dev/null' : path
      return [
        paint('bold', `--- ${before}`),
        paint('bold', `+++ ${path}`),
        ...added.map((line) => paint('green', `+${line}`)),
      ].join('\n')
    })
    .join('\n\n')
}

/** What is left to be done, in the order in which to do it. */
export function nextText(
  plan: Plan,
  project: Project,
  facts: { readonly isInstalled: boolean; readonly program: string; readonly provider: string },
): string {
  const { wiring, install, testCommand, startCommand, needsServer } = plan
  const steps = [
    ...(facts.isInstalled || install.length === 0
      ? []
      : [['Install:', ...install.map((words) => `  ${words.join(' ')}`)]]),
    ...(wiring === undefined
      ? []
      : [[`Add to ${wiring.file ?? 'your app'}:`, ...wiring.lines.map((line) => `  ${line}`)]]),
    ...(project.store === 'prisma' ? [['Make the client of Prisma:', '  npx prisma generate']] : []),
    ...(project.store === 'pglite'
      ? []
      : [['Make the table of the handler:', '  psql "$DATABASE_URL" -f migrations/webhooks.sql']]),
    ...(startCommand === undefined
      ? []
      : [['Copy .env.example to .env, fill it in, and start:', `  ${startCommand.join(' ')}`]]),
    [`Run the test${needsServer ? ', with DATABASE_URL set' : ''}:`, `  ${testCommand.join(' ')}`],
    [
      'Send something to your app:',
      `  ${facts.program} send ${facts.provider} --to http://127.0.0.1:3000/webhooks/${facts.provider} --times 5 --parallel`,
    ],
  ]
  return steps
    .map(([title, ...lines], index) => [`${index + 1}. ${title}`, ...lines.map((line) => ` ${line}`)].join('\n'))
    .join('\n')
}
