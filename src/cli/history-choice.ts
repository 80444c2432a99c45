import { type GithubHook, githubHistory } from '../history/github.ts'
import { shopifyOrders } from '../history/shopify.ts'
import { stripeHistory } from '../history/stripe.ts'
import type { EventHistory, Provider } from '../index.ts'
import type { Call, OptionValues } from './command.ts'
import { parseMoment } from './duration.ts'
import { wrongUsage } from './failure.ts'
import { wholeNumber } from './parse-arguments.ts'
import { loadProvider } from './provider-catalogue.ts'

/** Of which time, and whose word is asked for. */
export const historyOptions = {
  from: { type: 'string', value: 'time', meaning: 'since when: ISO 8601, or ago as in 2h, 3d; required' },
  to: { type: 'string', value: 'time', meaning: 'until when; default one minute ago' },
  types: {
    type: 'string',
    value: 'types',
    meaning: 'only these event types, several with commas, invoice.* for a group',
  },
  provider: { type: 'string', value: 'name', meaning: 'stripe, github or shopify; default the name of the source' },
  account: { type: 'string', value: 'id', meaning: 'Stripe: the connected account' },
  repository: { type: 'string', value: 'owner/name', meaning: 'GitHub: whose hook' },
  organization: { type: 'string', value: 'name', meaning: 'GitHub: whose hook' },
  hook: {
    type: 'string',
    value: 'number',
    meaning: 'GitHub: which hook; without it, that of the app whose token is given',
  },
  shop: { type: 'string', value: 'domain', meaning: 'Shopify: the shop, whose orders are compared' },
  'api-url': { type: 'string', value: 'url', meaning: 'where the API is; default the provider’s own' },
  'requests-per-second': { type: 'string', value: 'n', meaning: 'at most so many; default by provider' },
} as const

type Values = OptionValues<typeof historyOptions>

/** Where each provider's credentials are: never on the command line, where others could see them. */
const credentials = { stripe: 'STRIPE_API_KEY', github: 'GITHUB_TOKEN', shopify: 'SHOPIFY_ACCESS_TOKEN' } as const

export type HistoryChoice = { readonly provider: Provider; readonly history: EventHistory }

/** The provider that a source is of, and its history. */
export async function chooseHistory(
  { values, environment, terminal }: Pick<Call<typeof historyOptions>, 'values' | 'environment' | 'terminal'>,
  source: string,
): Promise<HistoryChoice> {
  const name = values.provider ?? source
  if (!Object.hasOwn(credentials, name)) {
    const known = Object.keys(credentials).join(', ')
    const what =
      values.provider === undefined ? `the source ${JSON.stringify(source)} is of which provider?` : 'it is not known.'
    throw wrongUsage(
      `--provider: ${what} This command knows ${known}; for others, give your app a history of your own.`,
    )
  }
  const make = await loadProvider(name)
  if (make === undefined) throw wrongUsage(`There is no provider ${name}.`)
  const variable = credentials[name as keyof typeof credentials]
  const secret = environment[variable]
  if (secret === undefined || secret === '') throw wrongUsage(`${variable} is not set: the provider asks for it.`)
  const rate = wholeNumber('requests-per-second', values['requests-per-second'], { atLeast: 1, atMost: 1000 })
  const requests = {
    ...(values['api-url'] !== undefined && { apiUrl: values['api-url'] }),
    ...(rate !== undefined && { requestsPerSecond: rate }),
    onWait: ({ seconds, reason }: { readonly seconds: number; readonly reason: string }) =>
      terminal.progress(`${reason}: waiting for ${seconds} s`),
  }
  // What the API says needs no signature.
  return {
    provider: make({ unverified: true }),
    history: historyOf(name as keyof typeof credentials, { values, secret, requests }),
  }
}

function historyOf(
  name: keyof typeof credentials,
  { values, secret, requests }: { readonly values: Values; readonly secret: string; readonly requests: object },
): EventHistory {
  switch (name) {
    case 'stripe':
      return stripeHistory({
        ...requests,
        apiKey: secret,
        ...(values.account !== undefined && { account: values.account }),
      })
    case 'github':
      return githubHistory({ ...requests, token: secret, hook: hookOf(values) })
    case 'shopify': {
      if (values.shop === undefined) throw wrongUsage('--shop is missing: give it as in example.myshopify.com.')
      return shopifyOrders({ ...requests, accessToken: secret, shop: values.shop })
    }
  }
}

function hookOf({ repository, organization, hook }: Values): GithubHook {
  if (hook === undefined && repository === undefined && organization === undefined) return 'app'
  if (hook === undefined || !/^\d+$/.test(hook)) throw wrongUsage('--hook is missing: give the number of the hook.')
  if (repository !== undefined && organization === undefined) {
    if (!/^[^/]+\/[^/]+$/.test(repository)) throw wrongUsage('--repository must be as in owner/name.')
    return { repository: repository as `${string}/${string}`, id: hook }
  }
  if (organization === undefined || repository !== undefined) {
    throw wrongUsage('Whose hook is it? Give --repository or --organization.')
  }
  return { organization, id: hook }
}

/** From when until when. */
export function rangeOf({ from, to }: Values, now: Date): { readonly from: Date; readonly to?: Date } {
  if (from === undefined) throw wrongUsage('--from is missing: since when?')
  return { from: momentOf('from', from, now), ...(to !== undefined && { to: momentOf('to', to, now) }) }
}

export function typesOf({ types }: Values): readonly string[] | undefined {
  return types?.split(',').map((type) => type.trim())
}

function momentOf(name: string, text: string, now: Date): Date {
  const moment = parseMoment(text, now)
  if (moment !== undefined) return moment
  throw wrongUsage(
    `--${name} is ${JSON.stringify(text)}: give a time such as 2026-01-31T12:00:00Z, or how long ago: 2h, 3d.`,
  )
}
