import type { Call, OptionValues } from './command.ts'
import type { storeOptions } from './common-options.ts'
import { wrongUsage } from './failure.ts'
import { type Gateway, type Role, startGateway } from './gateway.ts'
import { gatewayBanner, gatewayDocument } from './gateway-texts.ts'
import { homeOf } from './home.ts'
import type { PortChoice } from './listen.ts'
import { createLiveView } from './live-view.ts'
import { untilAskedToStop } from './signals.ts'

/** The part of `start` that needs a configuration. */
export const gatewayOptions = {
  config: {
    type: 'string',
    value: 'file',
    meaning: 'the configuration; default oncehook.config.ts, .mts, .js or .mjs here',
  },
  receiver: { type: 'boolean', meaning: 'with a configuration: only receive; workers run elsewhere' },
  worker: { type: 'boolean', meaning: 'with a configuration: only work off what was received' },
  watch: {
    type: 'boolean',
    meaning: 'read the configuration again when it changes; default at a terminal, unless NODE_ENV is production',
  },
  'no-watch': { type: 'boolean', meaning: 'never do that' },
} as const

export type GatewayCall = Omit<Call, 'values'> & {
  readonly values: OptionValues<typeof gatewayOptions & typeof storeOptions> & { readonly json?: boolean | undefined }
  readonly where: (server: { readonly port?: number; readonly host?: string } | undefined) => PortChoice
}

/** Runs what the configuration describes until it is asked to stop. */
export async function runGateway(
  { values, terminal, environment, directory, where }: GatewayCall,
  file: string,
): Promise<0> {
  if (values.receiver === true && values.worker === true)
    throw wrongUsage('Give either --receiver or --worker; without them a process does both.')
  if (values.watch === true && values['no-watch'] === true) throw wrongUsage('Give either --watch or --no-watch.')
  const role: Role = values.receiver === true ? 'receiver' : values.worker === true ? 'worker' : 'all'
  const isDevelopment = terminal.isInteractive && environment['NODE_ENV'] !== 'production'
  const isWatched = values['no-watch'] !== true && (values.watch ?? isDevelopment)
  const { print, tell, paint } = terminal
  const printJson = (document: object): void => print(JSON.stringify({ at: new Date(), ...document }))
  const view = createLiveView(paint)

  const asked = untilAskedToStop()
  const gateway: Gateway = await startGateway({
    home: homeOf(directory),
    file,
    role,
    isWatched,
    values,
    environment,
    where: ({ server }) => where(server),
    listener: values.json === true ? printJson : (event) => print(view.line(event, new Date())),
  })
  try {
    if (values.json === true) printJson(gatewayDocument({ gateway, role }))
    else print(`${gatewayBanner({ gateway, file, role, isWatched, paint })}\n\n${paint('dim', view.titles())}`)
    await asked
    if (values.json !== true) tell('Stopping: what runs is finished first. Once more to stop at once.')
  } finally {
    await gateway.stop()
  }
  if (values.json === true) printJson({ kind: 'stopped' })
  else tell('Stopped. Everything that was acknowledged is in the store.')
  return 0
}
