import { type FakeAnswer, type FakeApi, startFakeApi } from './fake-api.ts'

export type FakeHookDelivery = {
  /** Longer than a JavaScript number. */
  readonly id: string
  readonly guid: string
  readonly event: string
  readonly deliveredAt: Date
  readonly payload?: unknown
  readonly contentType?: string
}

export const githubToken = 'ghp_0123456789abcdef'

export type FakeGithub = FakeApi & { readonly asked: string[]; readonly add: (delivery: FakeHookDelivery) => void }

/** Deliveries of a hook as GitHub has them: newest first, pages by a cursor in the Link header, details one by one. */
export async function startFakeGithub(
  place: string,
  hookId: string,
  initial: readonly FakeHookDelivery[],
): Promise<FakeGithub> {
  const deliveries = initial.toSorted((one, other) => other.deliveredAt.getTime() - one.deliveredAt.getTime())
  const asked: string[] = []
  let base = ''
  const api = await startFakeApi(
    ({ pathname, searchParams: query }, { method }): FakeAnswer => {
      if (!pathname.startsWith(place)) return { status: 404, body: { message: 'Not Found' } }
      const [id, attempts] = pathname.slice(place.length).split('/').slice(1)
      if (id !== undefined) {
        const delivery = deliveries.find((one) => one.id === id)
        if (delivery === undefined) return { status: 404, body: { message: 'Not Found' } }
        if (attempts !== 'attempts') return { status: 200, body: detailOf(delivery, hookId) }
        if (method !== 'POST') return { status: 404 }
        asked.push(delivery.guid)
        return { status: 202, body: {} }
      }
      const size = Number(query.get('per_page') ?? 30)
      const cursor = query.get('cursor')
      const start = cursor === null ? 0 : deliveries.findIndex((one) => `v1_${one.id}` === cursor)
      const page = deliveries.slice(start, start + size)
      const following = deliveries[start + size]
      const link = `<${base}${place}?per_page=${size}&cursor=v1_${following?.id}>; rel="next"`
      return {
        status: 200,
        ...(following !== undefined && { headers: { link } }),
        body: `[${page.map(itemOf).join(',')}]`,
      }
    },
    { header: 'authorization', value: `Bearer ${githubToken}` },
  )
  base = api.url
  return { ...api, asked, add: (delivery) => void deliveries.unshift(delivery) }
}

function itemOf({ id, guid, event, deliveredAt }: FakeHookDelivery): string {
  const rest = {
    guid,
    delivered_at: deliveredAt.toISOString(),
    redelivery: false,
    status: 'OK',
    status_code: 200,
    event,
  }
  return `{"id": ${id}, ${JSON.stringify(rest).slice(1)}`
}

function detailOf(
  { id, guid, event, payload, contentType = 'application/json' }: FakeHookDelivery,
  hook: string,
): string {
  const headers = {
    Accept: '*/*',
    'Content-Type': contentType,
    'User-Agent': 'GitHub-Hookshot/b8c71d8',
    'X-GitHub-Delivery': guid,
    'X-GitHub-Event': event,
    'X-GitHub-Hook-ID': hook,
    'X-Hub-Signature-256': 'sha256=6dcb09b5b57875f334f61aebed695e2e4193db5e',
  }
  const body =
    payload === undefined
      ? `{"zen": "Keep it logically awesome.", "big": 12345678901234567890}`
      : JSON.stringify(payload)
  return `{"id": ${id}, "guid": "${guid}", "request": {"headers": ${JSON.stringify(headers)}, "payload": ${body}}, "response": {"headers": {}, "payload": "ok"}}`
}
