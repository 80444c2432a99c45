export type Reply = { readonly channel: string; readonly thread_ts: string; readonly text: string }

/** Run by the relay, after the commit. What it throws is tried again later. */
export async function postToSlack(reply: Reply, { signal }: { readonly signal: AbortSignal }): Promise<void> {
  const token = process.env.SLACK_BOT_TOKEN
  if (!token) return console.log('would post', reply)
  const response = await fetch(`${process.env.SLACK_API_URL}/chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(reply),
    signal,
  })
  const { ok, error = response.statusText } = (await response.json()) as { ok: boolean; error?: string }
  if (!ok) throw new Error(`Slack says ${error}`)
}
