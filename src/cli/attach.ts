import type { Call } from './command.ts'
import { followReceiver, type RunningReceiver } from './control-client.ts'
import { failed } from './failure.ts'
import { openLiveOutput } from './live-output.ts'
import { untilAskedToStop } from './signals.ts'

/** Watches the receiver that runs here, in another process: its events, its ledger, its replays. It goes on when this ends. */
export async function attachToReceiver(
  call: Omit<Call, 'values'> & { readonly values: { readonly json?: boolean | undefined } },
  { running, names }: { readonly running: RunningReceiver; readonly names: readonly string[] },
): Promise<0> {
  const { address, control } = running
  const asked = untilAskedToStop()
  const output = openLiveOutput(call)
  const isMeant = (source: string): boolean => names.length === 0 || names.includes(source)
  const feed = await followReceiver(address, (event) => {
    if (!('source' in event) || isMeant(event.source)) output.tell(event)
  })
  try {
    const shown = output.begin({
      title: `${address.url}/in/<source>, process ${address.processId}`,
      banner: () =>
        `Watching the receiver at ${address.url} (process ${address.processId})${names.length === 0 ? '' : `: ${names.join(', ')}`}.`,
      document: () => ({ kind: 'attached', url: address.url, processId: address.processId, store: address.store }),
      ledger: control,
      noReplay: undefined,
    })
    const end = await Promise.race([asked, shown.quit, feed.ended.then(() => 'ended' as const)])
    if (end === 'ended') {
      throw failed(`The receiver at ${address.url} that was watched has stopped. Run "${call.program} listen" again.`)
    }
    return 0
  } finally {
    output.close()
    feed.close()
  }
}
