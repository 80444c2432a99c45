import { roles } from '../auth/identity.ts'
import type { CookiePlace } from '../auth/sessions.ts'
import { object } from '../compound-schema.ts'
import { isRefusal } from '../refusal.ts'
import { defineRoute, type Route } from '../route.ts'
import { anyText, choice, flag, named, nullable, text } from '../schema.ts'
import type { Services } from '../services.ts'
import type { Surroundings } from '../surroundings.ts'
import { withHeaders } from '../with-headers.ts'

const session = named(
  'Session',
  object({
    name: nullable(anyText({ description: 'Null if nobody is logged in.' })),
    role: nullable(choice(roles)),
    csrf: nullable(anyText({ description: 'To be sent as x-oncehook-csrf with everything that changes something.' })),
    isLoginRequired: flag(),
    canLogIn: flag({ description: 'Whether there are tokens to log in with.' }),
    isReadOnly: flag(),
    version: anyText(),
    environment: anyText(),
    features: object({ captures: flag(), datastore: flag(), automations: flag(), guide: flag() }),
  }),
)

export const sessionRoutes: readonly Route[] = [
  defineRoute({
    name: 'readSession',
    method: 'GET',
    path: '/session',
    role: 'anyone',
    summary: 'Who is logged in, and what there is.',
    answer: session,
    run: async ({ caller, services }) => ({
      ...aboutOf(services),
      name: caller?.identity.name ?? null,
      role: caller?.identity.role ?? null,
      csrf: caller?.csrf ?? null,
    }),
  }),

  defineRoute({
    name: 'logIn',
    method: 'POST',
    path: '/session',
    role: 'anyone',
    summary: 'Logs in with a token, by a cookie that pages cannot read.',
    body: object({ token: text({ most: 500 }) }),
    answer: session,
    status: 201,
    // The session says who; a token that is not known leaves no line, so that strangers cannot fill the log.
    changes: 'nothing',
    run: async ({ body, request, services, surroundings }) => {
      const { authentication, inbox } = services
      const login = await authentication.login(body.token, { ...surroundings, ...placeOf(request, surroundings) })
      if (isRefusal(login)) return login
      const { name, role } = login.identity
      const line = await inbox.admin.log.begin({ by: name, role, action: 'session.open', target: name, why: undefined })
      await inbox.admin.log.end(line, { outcome: 'done', detail: undefined })
      return withHeaders({ ...aboutOf(services), name, role, csrf: login.csrf }, { 'set-cookie': login.cookie })
    },
  }),

  defineRoute({
    name: 'logOut',
    method: 'DELETE',
    path: '/session',
    role: 'anyone',
    summary: 'Ends the session.',
    changes: 'nothing',
    run: async ({ caller, request, services, surroundings }) => {
      const cookie = await services.authentication.logout(caller, placeOf(request, surroundings))
      return withHeaders(undefined, { 'set-cookie': cookie })
    },
  }),
]

function aboutOf({ authentication, isReadOnly, version, inbox, guide, features }: Services): {
  readonly isLoginRequired: boolean
  readonly canLogIn: boolean
  readonly isReadOnly: boolean
  readonly version: string
  readonly environment: string
  readonly features: Services['features'] & { readonly guide: boolean }
} {
  return {
    isLoginRequired: authentication.isLoginRequired,
    canLogIn: authentication.hasTokens,
    isReadOnly,
    version,
    environment: inbox.admin.environment,
    features: { ...features, guide: guide !== undefined },
  }
}

function placeOf(request: Request, { mount }: Surroundings): CookiePlace {
  return { isSecure: request.url.startsWith('https:'), path: mount === '' ? '/' : mount }
}
