import { defineProvider } from '../verify/define-provider.ts'
import { type GenericOptions, genericOptions, genericProvider } from '../verify/generic-provider.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { token as tokenScheme } from '../verify/schemes/token.ts'

/** Where an unknown sender puts its token, and where its ids are. */
export type TokenOptions = GenericOptions & {
  /** The header with the token. */
  readonly header?: string | undefined
  /** What stands before the token in the header, such as `Bearer `. */
  readonly prefix?: string | undefined
  /** The query parameter with the token, instead of a header. */
  readonly query?: string | undefined
}

/** Any sender that proves itself with a constant token. The token says nothing about the body. */
export const token: (options: ProviderOptions & TokenOptions) => Provider = defineProvider<TokenOptions>((options) => {
  const { header, query, prefix = '' } = options
  return genericProvider(options, {
    name: 'token',
    title: 'Token',
    scheme: tokenScheme(query === undefined ? { header: (header ?? '').toLowerCase(), prefix } : { query }),
    ownOptions: {
      ...genericOptions,
      header: 'the header with the token',
      prefix: 'what stands before the token in the header',
      query: 'the query parameter with the token, instead of a header',
    },
    mistakes:
      (header === undefined || header === '') === (query === undefined || query === '')
        ? ['Give either "header" or "query": where the token travels.']
        : [],
  })
})
