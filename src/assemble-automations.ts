import type { AutomationOptions } from './automation/automation-options.ts'
import { createAutomations, type RunningAutomations } from './automation/create-automations.ts'
import type { HandlerRegistry } from './effects/handler-registry.ts'
import type { InboxListener } from './events.ts'
import type { Store } from './store/store.ts'

type PartsForAutomations<Tx> = {
  readonly store: Store<Tx>
  readonly environment: string
  readonly registry: HandlerRegistry<Tx>
  readonly sources: readonly string[]
  readonly emit: InboxListener
  readonly ready: () => Promise<void>
  readonly isReady: () => boolean
}

/** Automations, and what the door and the worker have to ask so that their handlers are those of now. */
type AssembledAutomations<Tx> = Pick<RunningAutomations, 'targets' | 'tasks' | 'flush'> &
  Pick<PartsForAutomations<Tx>, 'ready' | 'isReady' | 'store'> & {
    /** Undefined where there are none. */
    readonly running: RunningAutomations | undefined
  }

export function assembleAutomations<Tx>(
  options: AutomationOptions | undefined,
  parts: PartsForAutomations<Tx>,
): AssembledAutomations<Tx> {
  const { store, environment, ready, isReady } = parts
  if (options === undefined) {
    return { running: undefined, targets: {}, tasks: [], flush: async () => {}, ready, isReady, store }
  }
  const running = createAutomations(options, { ...parts, readBody: (id) => store.readBody(environment, id) })
  return {
    running,
    targets: running.targets,
    tasks: running.tasks,
    flush: running.flush,
    isReady: () => isReady() && !running.isStale(),
    async ready() {
      await ready()
      if (running.isStale()) await running.refresh()
    },
    store: {
      ...store,
      async claim(request) {
        const claims = await store.claim(request)
        // After the claim: whoever recorded these events knew of automations that can be seen by now.
        if (claims.length > 0) await running.refresh()
        return claims
      },
    },
  }
}
