import type { AutomationStore, RunToNote, StoredRun } from '../store/automation-store.ts'
import type { KeyRing, NamedKey } from './key-ring.ts'
import { keyIdOfText, nameOfTrace, openText, sealText, traceContext } from './sealed-text.ts'

/** Traces hold parts of bodies, so their steps are encrypted. Definitions are not: they hold no secrets. */
export function encryptedAutomations(automations: AutomationStore, keys: KeyRing): AutomationStore {
  return {
    ...automations,
    noteRun: async (run) => automations.noteRun(sealedRun(await keys.current(), run)),
    findRuns: async (environment, filter) =>
      Promise.all((await automations.findRuns(environment, filter)).map((run) => openedRun(keys, run))),
    async readRun(environment, id) {
      const run = await automations.readRun(environment, id)
      return run && openedRun(keys, run)
    },
  }
}

export function sealedRun(key: NamedKey, run: RunToNote): RunToNote {
  return { ...run, steps: sealText(key, run.steps, traceContext(run)) }
}

async function openedRun(keys: KeyRing, run: StoredRun): Promise<StoredRun> {
  const keyId = keyIdOfText(run.steps)
  if (keyId === undefined) return run
  const what = { name: nameOfTrace(run), context: traceContext(run) }
  return { ...run, steps: openText(await keys.find(keyId), run.steps, what) }
}
