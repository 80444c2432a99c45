import type { PgConnection } from './pg-connection.ts'

const longestPauseMilliseconds = 5000

export type ListenOptions = {
  readonly connect: () => Promise<PgConnection>
  readonly channel: string
  readonly onNotify: () => void
}

/**
 * Keeps one connection for listening and opens another whenever it is lost. What was said in between is not heard,
 * so every reconnection counts as a notification. Resolves when it listens; rejects if the first connection fails.
 */
export async function listenOnPool({ connect, channel, onNotify }: ListenOptions): Promise<() => Promise<void>> {
  let current: PgConnection | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let failures = 0

  async function open(): Promise<void> {
    const connection = await connect()
    const onNotification = (message: { readonly channel: string }): void => {
      if (message.channel === channel) onNotify()
    }
    const onLoss = (): void => {
      connection.client.removeListener('notification', onNotification)
      connection.client.removeListener('end', onLoss)
      connection.client.removeListener('error', onLoss)
      connection.destroy()
      if (current === connection) current = undefined
      reconnectLater()
    }
    connection.client.on('notification', onNotification)
    connection.client.on('end', onLoss)
    connection.client.on('error', onLoss)
    try {
      await connection.send(`listen "${channel.replaceAll('"', '""')}"`)
    } catch (error) {
      connection.client.removeListener('notification', onNotification)
      connection.client.removeListener('end', onLoss)
      connection.client.removeListener('error', onLoss)
      connection.destroy()
      throw error
    }
    current = connection
    failures = 0
    // Stopped while the connection was being opened.
    if (isStopped) onLoss()
  }

  function reconnectLater(): void {
    if (isStopped || timer !== undefined) return
    const pause = Math.min(longestPauseMilliseconds, 100 * 2 ** Math.min(failures, 10))
    failures += 1
    timer = setTimeout(() => {
      timer = undefined
      open().then(onNotify, reconnectLater)
    }, pause)
    timer.unref()
  }

  await open()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    // Destroyed rather than given back: it would go on listening in the pool.
    current?.destroy()
    current = undefined
  }
}
