import type { UntypedPayloads } from './payloads.ts'

// On the line after `@ts-ignore`, a package that is not installed is no error but `any`. The compiler keeps the comment in our
// declarations only if it begins with two stars and belongs to a type.

/** @ts-ignore The package may be missing. */
type EventName = import('@octokit/webhooks').EmitterWebhookEventName

/** @ts-ignore The package may be missing. */
type PayloadOf<Name> = import('@octokit/webhooks').EmitterWebhookEvent<Name>['payload']

/** GitHub's own types, where the package `@octokit/webhooks` is installed; else of any shape. By event, without its action. */
export type GithubPayloads = string extends EventName
  ? UntypedPayloads
  : { readonly [Name in EventName as Name extends `${string}.${string}` ? never : Name]: PayloadOf<Name> }
