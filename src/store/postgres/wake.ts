import type { Clock } from '../../clock.ts'
import { wakeChannel } from './schema-name.ts'
import type { SqlClient, SqlQuery } from './sql-client.ts'

const testMilliseconds = 2000

/**
 * For what was put into the queue by other statements than the recording one. Not inside a handler's transaction: commits that notify
 * wait for each other, and those are many at once.
 */
export async function wakeOthers(query: SqlQuery, schema: string): Promise<void> {
  await query("select pg_notify($1::text, '')::text", [wakeChannel(schema)])
}

export type Listening = { readonly kind: 'listening' | 'alone' | 'poll'; readonly stop: () => Promise<void> }

/** Believes in notifications only once one has arrived: behind a pooler that shares connections none ever does. */
export async function listen<Tx>(
  client: SqlClient<Tx>,
  { schema, clock, onWake }: { readonly schema: string; readonly clock: Clock; readonly onWake: () => void },
): Promise<Listening> {
  if (typeof client.listen === 'string') return { kind: client.listen, stop: async () => {} }
  const heard = new AbortController()
  try {
    const stop = await client.listen(wakeChannel(schema), () => {
      heard.abort()
      onWake()
    })
    await wakeOthers(client.query, schema)
    await clock.wait(testMilliseconds, heard.signal)
    if (heard.signal.aborted) return { kind: 'listening', stop }
    await stop()
  } catch {
    // Whatever the reason, asking now and then always works.
  }
  return { kind: 'poll', stop: async () => {} }
}
