import type { Mount } from '../adapters/webhook-server.ts'
import { type Admin, type AdminOptions, createAdmin, isLoopbackHost } from '../admin/create-admin.ts'
import type { AdminConfig } from '../gateway/admin-config.ts'
import { failed } from './failure.ts'

/** Whether there is an admin surface, and where. */
export type AdminChoice =
  | { readonly kind: 'off'; readonly reason: string }
  | { readonly kind: 'here' | 'apart'; readonly host: string; readonly port: number; readonly options: AdminConfig }

/** There is one. */
export type OpenChoice = Extract<AdminChoice, { readonly options: AdminConfig }>

type Asked = {
  readonly config: AdminConfig | false | undefined
  /** Where webhooks are taken. */
  readonly host: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whether the process also receives and works: one that does only half of it serves no admin surface unless it is asked to. */
  readonly isWhole: boolean
}

const needsLogin = 'off: others than this machine could reach it. Set admin.tokens or $ONCEHOOK_ADMIN_TOKEN to have it.'

/**
 * Beyond this machine nothing is open without a login: where nobody asked for an admin surface there is none then, and where somebody
 * did it is a mistake.
 */
export function chooseAdmin({ config, host, environment, isWhole }: Asked): AdminChoice {
  if (config === false) return { kind: 'off', reason: 'off, by admin: false' }
  if (config === undefined && !isWhole) return { kind: 'off', reason: 'off in this process: set admin to have it' }
  const options = withTokenOf(environment, config ?? {})
  const place =
    options.port === undefined ? { host, port: 0 } : { host: options.host ?? '127.0.0.1', port: options.port }
  const hasLogin = (options.tokens?.length ?? 0) > 0 || options.authorize !== undefined
  if (!hasLogin && !isLoopbackHost(place.host)) {
    if (config === undefined) return { kind: 'off', reason: needsLogin }
    throw failed(
      `The admin surface would listen at ${place.host}, where others than this machine can reach it, without a login. ` +
        'Set admin.tokens or $ONCEHOOK_ADMIN_TOKEN, give admin.port for one of its own on this machine, or admin: false.',
    )
  }
  return { kind: options.port === undefined ? 'here' : 'apart', ...place, options }
}

/** A token from the environment, for whoever has no configuration to put one into. */
function withTokenOf(environment: Asked['environment'], options: AdminConfig): AdminConfig {
  const { ONCEHOOK_ADMIN_TOKEN: token } = environment
  if (token === undefined || token === '' || (options.tokens?.length ?? 0) > 0) return options
  return { ...options, tokens: [{ name: 'admin', role: 'admin', token }] }
}

/** Opens it for an inbox. Without a login configured it answers this machine alone. */
export function openAdmin(
  { options: { tokens, authorize, readOnly, sessionHours } }: OpenChoice,
  parts: Pick<AdminOptions, 'inbox' | 'captures' | 'ingestUrl' | 'guide' | 'trustProxy' | 'onError'>,
): Admin {
  return createAdmin({ tokens, authorize, readOnly, sessionHours, ...parts, isOpenOnLoopback: true })
}

/** All paths that the server does not need itself. */
export function adminMount(now: () => Admin | undefined): Mount {
  return { takes: () => now() !== undefined, handle: (request, response) => now()?.nodeHandler(request, response) }
}
