import type { FrameworkPlace, NewFile } from './framework-template.ts'
import type { StorePlace, StoreTemplate } from './store-template.ts'
import { lines } from './style.ts'

/** The provider whose events are to come, as code. */
export type ChosenProvider = {
  readonly name: string
  /** Its function in `oncehook/providers/<name>`. */
  readonly create: string
  /** What that is given. */
  readonly given: string
  /** The variable of its key; undefined if it finds its keys by itself. */
  readonly variable: string | undefined
  /** The type of its most typical event. */
  readonly type: string
  /** How many events one delivery of it carries. */
  readonly events: number
  /** Whether a copy of an event can be told from another event. */
  readonly hasStableIds: boolean
}

export type Choice = {
  readonly place: FrameworkPlace & StorePlace
  readonly provider: ChosenProvider
  readonly store: StoreTemplate
  readonly migrations: 'automatic' | 'manual'
}

/** The inbox of the app. */
export function inboxFile({ place, provider, store, migrations }: Choice): NewFile {
  const { style, folder } = place
  const { imports, opening = [], store: made, beforeStart } = store.inbox(place)
  const source = `${keyOf(provider.name)}: ${provider.create}(${provider.given === '' ? '{}' : `{ ${provider.given} }`})`
  const text = lines(
    ...sorted([
      `import { createInbox } from 'oncehook'`,
      `import { ${provider.create} } from 'oncehook/providers/${provider.name}'`,
      `import { registerHandlers } from '${style.from('./handlers')}'`,
      ...imports,
    ]),
    '',
    ...(opening.length === 0 ? [] : [...opening, '']),
    'export const inbox = createInbox({',
    `  store: ${made},`,
    `  sources: { ${source} },`,
    migrations === 'manual' && `  migrations: 'manual',`,
    '})',
    'registerHandlers(inbox)',
    '',
    '/** Call it once when the app starts: what failed is tried again, and what is queued or in the outbox is worked off. */',
    `export async function startWebhooks()${style.typed(': Promise<void>')} {`,
    beforeStart !== undefined && `  ${beforeStart}`,
    '  await inbox.start()',
    '}',
  )
  return { path: `${folder}/inbox.${style.extension}`, text }
}

/** What events do: apart from the inbox, so that a test can use it. */
export function handlersFile({ place, provider, store }: Choice): NewFile {
  const { style, folder } = place
  const { imports, declarations = [], transaction, insert } = store.handlers(place)
  const { name, create } = provider
  const typeImports = [
    `import type { Inbox } from 'oncehook'`,
    `import type { ${create} } from 'oncehook/providers/${name}'`,
  ]
  const shown = style.isTypeScript
    ? [...typeImports, ...imports]
    : imports.filter((line) => !line.startsWith('import type'))
  const text = lines(
    ...sorted(shown),
    ...(shown.length === 0 ? [] : ['']),
    ...(declarations.length === 0 ? [] : [...declarations, '']),
    style.isTypeScript &&
      `type Webhooks = Pick<Inbox<${transaction}, { readonly ${keyOf(name)}: ReturnType<typeof ${create}> }>, 'on'>\n`,
    '/** What events do. The app and its test register the same. */',
    `export function registerHandlers(inbox${style.typed(': Webhooks')})${style.typed(': void')} {`,
    `  inbox.on('${name}', '*', async (event, { tx }) => {`,
    '    // Put your work here. What is written through tx commits together with the receipt, or not at all.',
    `    ${insert}`,
    '  })',
    '}',
  )
  return { path: `${folder}/handlers.${style.extension}`, text }
}

/** The table that the handler writes to, until it does something of your own. */
export function migrationFile(): NewFile {
  return {
    path: 'migrations/webhooks.sql',
    text: lines(
      '-- What the handler writes. There is no unique key, because one would hide an event that takes effect twice.',
      'create table if not exists webhook_effects (event_id text not null, type text not null);',
    ),
  }
}

function keyOf(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`
}

/** As formatters sort them: Node's own, packages, files. */
export function sorted(imports: readonly string[]): readonly string[] {
  const rank = (line: string): string => {
    const from = /from '([^']+)'/.exec(line)?.[1] ?? ''
    return `${from.startsWith('node:') ? 0 : from.startsWith('.') || from.startsWith('$') ? 2 : 1}${from}`
  }
  return imports.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))
}
