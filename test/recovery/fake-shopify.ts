import { type FakeApi, startFakeApi } from './fake-api.ts'

export type FakeOrder = { readonly id: string; readonly updatedAt: Date }

export const shopifyToken = 'shpat_0123456789abcdef'

/** `GET /admin/api/…/orders.json` as Shopify has it: pages by an opaque `page_info` in the Link header, which allows no other filter. */
export async function startFakeShopify(orders: readonly FakeOrder[]): Promise<FakeApi> {
  let base = ''
  const api = await startFakeApi(
    ({ pathname, searchParams: query }) => {
      if (!/^\/admin\/api\/[\w-]+\/orders\.json$/.test(pathname)) return { status: 404, body: { errors: 'Not Found' } }
      const info = query.get('page_info')
      if (info !== null && query.has('updated_at_min')) return { status: 400, body: { errors: 'no filters here' } }
      const [start, from, to] =
        info === null ? [0, query.get('updated_at_min'), query.get('updated_at_max')] : decode(info)
      const found = orders
        .filter(({ updatedAt }) => updatedAt >= new Date(from ?? 0) && updatedAt <= new Date(to ?? 8.64e15))
        .toSorted((one, other) => one.updatedAt.getTime() - other.updatedAt.getTime())
      const end = start + 2
      const next = Buffer.from(JSON.stringify([end, from, to])).toString('base64url')
      const link = `<${base}${pathname}?limit=250&page_info=${next}>; rel="next"`
      return {
        status: 200,
        headers: { 'x-shopify-shop-api-call-limit': '1/40', ...(end < found.length && { link }) },
        body: `{"orders": [${found.slice(start, end).map(toText).join(', ')}]}`,
      }
    },
    { header: 'x-shopify-access-token', value: shopifyToken },
  )
  base = api.url
  return api
}

function decode(info: string): [number, string | null, string | null] {
  return JSON.parse(Buffer.from(info, 'base64url').toString()) as [number, string | null, string | null]
}

function toText({ id, updatedAt }: FakeOrder): string {
  return `{"id": ${id}, "updated_at": "${updatedAt.toISOString()}", "line_items": [{"id": 98765432109876543210}]}`
}
