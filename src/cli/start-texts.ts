import { relative } from 'node:path'
import type { AdminChoice } from './admin-surface.ts'
import type { Paint } from './colour.ts'
import type { DemoReport } from './demo-run.ts'
import type { PortChoice } from './listen.ts'
import type { StoreChoice } from './open-store.ts'
import type { Receiver } from './receiver.ts'
import { drawFacts } from './table.ts'

export type BannerParts = {
  readonly receiver: Receiver
  readonly choice: StoreChoice
  readonly where: PortChoice
  /** How this program was called, so that what is shown can be copied. */
  readonly program: string
  readonly paint: Paint
}

/** What is said once everything is ready: where, how safely, and what to do next. */
export function bannerOf({ receiver, choice, where, program, paint }: BannerParts): string {
  const { url, port, sources, durability } = receiver
  const command = (words: string, remark: string): readonly [string, string] => [
    `  ${paint('cyan', `${program} ${words}`)}`,
    paint('dim', remark),
  ]
  const isElsewhere = where.port !== 0 && port !== where.port
  return [
    `${paint('green', 'Oncehook is ready.')}${isElsewhere ? ` Port ${where.port} is in use, so it is on ${port}.` : ''}`,
    '',
    drawFacts([
      ['  Dashboard', dashboardText(receiver.dashboard, url, paint)],
      ['  Send webhooks to', paint('bold', `${url}/in/<source>`)],
      ['  Sources', `stripe, github, shopify and ${sources.length - 3} more; see: ${program} providers`],
      ['  Secrets', secretsText(sources)],
      ['  Store', choice.kind === 'embedded' ? `embedded, ${here(choice.folder)}` : 'PostgreSQL'],
      ['  Durability', `${durability.tier}: ${durability.summary}`],
      ['  Handlers', 'each event adds one row to the table oncehook_demo_effects'],
    ]),
    ...durability.warnings.map((warning) => paint('yellow', `  ${warning}`)),
    '',
    'From a second terminal, in this directory:',
    drawFacts([
      command('send stripe invoice.paid', 'a signed event'),
      command('send stripe invoice.paid --times 5 --parallel', 'the same one five times: one effect'),
      command('send stripe invoice.paid --forge', 'somebody who does not know the secret'),
      command('receipts', 'what is in the ledger'),
    ]),
  ].join('\n')
}

/** Where to look, or why there is nothing to see. */
export function dashboardText(choice: AdminChoice, url: string, paint: Paint): string {
  return choice.kind === 'off' ? choice.reason : `${paint('bold', url)}${paint('dim', '  open it in a browser')}`
}

/** The same for machines. */
export function startedDocument({ url, sources, durability, dashboard }: Receiver, choice: StoreChoice): object {
  return {
    kind: 'started',
    url,
    ...(dashboard.kind !== 'off' && { dashboard: url }),
    sources: sources.map(({ name }) => ({ name, url: `${url}/in/${name}` })),
    store: choice.kind,
    durability,
  }
}

/** What the newcomer has just seen. */
export function demoSummary({ deliveries, receipts, effects }: DemoReport, paint: Paint): string {
  const counted = [plural(deliveries, 'delivery', 'deliveries'), plural(receipts, 'receipt'), plural(effects, 'effect')]
  const isRight = receipts === 1 && effects === 1
  return [
    '',
    'That was a signed Stripe event, sent here twice at the same moment:',
    paint(isRight ? 'green' : 'red', `  ${counted.join(' → ')}`),
    '',
  ].join('\n')
}

/** A number with its noun. */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

function secretsText(sources: Receiver['sources']): string {
  const variables = sources.flatMap(({ secretFrom }) => (/^[A-Z0-9_]+$/.test(secretFrom) ? [secretFrom] : []))
  const file = sources.find(({ secretFrom }) => !variables.includes(secretFrom))?.secretFrom
  const own = variables.length === 0 ? [] : [`from ${variables.join(', ')}`]
  return [...own, ...(file === undefined ? [] : [`demo secrets in ${here(file)}`])].join('; ')
}

function here(path: string): string {
  const way = relative(process.cwd(), path)
  return way.startsWith('..') ? path : `./${way}`
}
