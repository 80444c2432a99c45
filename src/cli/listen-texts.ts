import { relative } from 'node:path'
import type { Paint } from './colour.ts'
import { shownAddress } from './forward-address.ts'
import type { ListenGateway } from './listen-gateway.ts'
import { dashboardText } from './start-texts.ts'
import { drawFacts } from './table.ts'

export type ListenFacts = {
  readonly listening: ListenGateway
  readonly to: URL | undefined
  readonly directory: string
}

/** Where webhooks come in and where they go, in one line. */
export function listenTitle({ listening, to }: ListenFacts): string {
  const { gateway, sources } = listening
  const [only] = sources
  const from = sources.length === 1 && only !== undefined ? only.name : '<source>'
  return `${gateway.url}/in/${from} → ${to === undefined ? 'recorded only' : shownAddress(to)}`
}

/** What is said before the first line, where nothing is drawn over. */
export function listenBanner({ listening, to, directory }: ListenFacts, paint: Paint): string {
  const { gateway, sources } = listening
  const { url, port, where, durability, choice } = gateway
  const isElsewhere = where.port !== 0 && port !== where.port
  const listed = sources.length > 5 ? `all ${sources.length} providers` : sources.map(({ name }) => name).join(', ')
  return [
    `${paint('green', 'Oncehook listens.')}${isElsewhere ? ` Port ${where.port} is in use, so it is on ${port}.` : ''}`,
    '',
    drawFacts([
      ['  Send webhooks to', paint('bold', `${url}/in/<source>`)],
      ['  Sources', listed],
      [
        '  Forwarded to',
        to === undefined ? 'nobody: events are only recorded. Give --forward <url>' : paint('bold', shownAddress(to)),
      ],
      ...(to === undefined ? [] : [['  Signed with', secretsText(listening, directory)] as const]),
      ['  Dashboard', dashboardText(gateway.dashboard, gateway.dashboardUrl ?? url, paint)],
      ['  Store', choice?.kind === 'postgres' ? 'PostgreSQL' : 'embedded'],
      ['  Durability', `${durability.tier}: ${durability.summary}`],
    ]),
    ...durability.warnings.map((warning) => paint('yellow', `  ${warning}`)),
  ].join('\n')
}

/** The same for machines. */
export function listenDocument({ listening: { gateway, sources }, to }: ListenFacts): object {
  return {
    kind: 'started',
    url: gateway.url,
    dashboard: gateway.dashboardUrl,
    forward: to && shownAddress(to),
    sources: sources.map(({ name }) => ({ name, url: `${gateway.url}/in/${name}` })),
    store: gateway.choice?.kind ?? 'embedded',
    durability: gateway.durability,
  }
}

/** What the app at the other end has to verify with. */
function secretsText({ sources }: ListenGateway, directory: string): string {
  const places = [...new Set(sources.map(({ secretFrom }) => secretFrom))].map((place) =>
    place.includes('/') || place.includes('\\') ? relative(directory, place) : place,
  )
  return `each provider's own signature, with the secrets in ${places.slice(0, 5).join(', ')}`
}
