import type { Store } from '../store/store.ts'

/** Whether the schema is there, and a way to wait for it. */
export type Readiness = { readonly ready: () => Promise<void>; readonly isReady: () => boolean }

/** Migrates once, however many ask; a failure is tried again by the next who asks. */
export function createReadiness<Tx>(store: Pick<Store<Tx>, 'migrate'> | undefined, onReady: () => void): Readiness {
  let migrating: Promise<void> | undefined
  let isDone = false
  const prepare = async (): Promise<void> => {
    try {
      await store?.migrate()
      onReady()
      isDone = true
    } catch (error) {
      migrating = undefined
      throw error
    }
  }
  return {
    ready: () => {
      migrating ??= prepare()
      return migrating
    },
    isReady: () => isDone,
  }
}
