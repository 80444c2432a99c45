import { basename } from 'node:path'
import type { Paint } from './colour.ts'
import type { Gateway, Role } from './gateway.ts'
import { dashboardText } from './start-texts.ts'
import { drawFacts } from './table.ts'

export type GatewayFacts = {
  readonly gateway: Gateway
  readonly file: string
  readonly role: Role
  readonly isWatched: boolean
  readonly paint: Paint
}

const doing = {
  all: 'receives and works',
  receiver: 'only receives: start workers with --worker',
  worker: 'only works: start receivers with --receiver',
} as const

/** What is said once the gateway is ready. */
export function gatewayBanner({ gateway, file, role, isWatched, paint }: GatewayFacts): string {
  const { url, port, where, durability, choice } = gateway
  const { handlers, providers } = gateway.checked()
  const isElsewhere = where.port !== 0 && port !== where.port
  const sources = Object.keys(providers).map((name) => {
    const own = handlers.filter(({ source }) => source === name)
    return [
      `  ${name}`,
      own.length === 0 ? 'recorded only' : own.map(({ type, path }) => `${type} ${kindOf(path)}`).join(', '),
    ] as const
  })
  return [
    `${paint('green', 'Oncehook is ready.')}${isElsewhere ? ` Port ${where.port} is in use, so it is on ${port}.` : ''}`,
    '',
    drawFacts([
      ['  Configuration', `${basename(file)}${isWatched ? ', read again when it changes' : ''}`],
      ['  This process', doing[role]],
      ...(role === 'worker' ? [] : [['  Send webhooks to', paint('bold', `${url}/in/<source>`)] as const]),
      ['  Dashboard', dashboardText(gateway.dashboard, gateway.dashboardUrl ?? url, paint)],
      ['  Health', `${url}/healthz and ${url}/readyz`],
      [
        '  Store',
        choice === undefined ? 'of the configuration' : choice.kind === 'embedded' ? 'embedded' : 'PostgreSQL',
      ],
      ['  Durability', `${durability.tier}: ${durability.summary}`],
    ]),
    ...durability.warnings.map((warning) => paint('yellow', `  ${warning}`)),
    '',
    drawFacts([['  SOURCE', 'EVENTS'], ...sources]),
  ].join('\n')
}

/** The same for machines. */
export function gatewayDocument({ gateway, role }: Pick<GatewayFacts, 'gateway' | 'role'>): object {
  const { url, durability, choice, dashboardUrl } = gateway
  const sources = Object.keys(gateway.checked().providers).map((name) => ({ name, url: `${url}/in/${name}` }))
  return {
    kind: 'started',
    url,
    dashboard: dashboardUrl,
    role,
    sources,
    store: choice?.kind ?? 'configured',
    durability,
  }
}

function kindOf(path: string): string {
  return path.endsWith('.forward') ? 'forwarded' : 'handled'
}
