import { type ApiAnswer, historyFailed, type SendRequest } from './api.ts'

/** The part of an Octokit client that is needed here, so that the package stays out of our dependencies. */
export type OctokitLike = {
  request(options: {
    method: 'GET' | 'POST'
    url: string
    request: { signal: AbortSignal }
  }): Promise<{ status: number; headers: Readonly<Record<string, unknown>>; data: unknown }>
}

/** By way of Octokit, which has its own address and credentials. */
export function sendByOctokit(client: OctokitLike): SendRequest {
  return async ({ method, path, signal }) => {
    try {
      return toAnswer(await client.request({ method, url: path, request: { signal } }))
    } catch (error) {
      const { response, status } = (error ?? {}) as { response?: Parameters<typeof toAnswer>[0]; status?: unknown }
      if (response === undefined || typeof status !== 'number') throw error
      return toAnswer({ ...response, status })
    }
  }
}

function toAnswer({ status, headers, data }: Awaited<ReturnType<OctokitLike['request']>>): ApiAnswer {
  refuseRounded(data)
  return {
    status,
    header: (name) => {
      const value = headers[name]
      return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
    },
    text: toJson(data),
  }
}

/** Newer versions read long numbers as `bigint`, which JSON knows only as digits. */
function toJson(data: unknown): string {
  const mark = '\u0001'
  const text = JSON.stringify(data ?? null, (_, value: unknown) =>
    typeof value === 'bigint' ? `${mark}${value}` : value,
  )
  return text.replaceAll(/"\\u0001(-?\d+)"/g, '$1')
}

/** Octokit has parsed the answer, and a number that it has rounded is of another delivery. */
function refuseRounded(data: unknown): void {
  const isRounded = (item: unknown): boolean =>
    typeof item === 'object' &&
    item !== null &&
    'id' in item &&
    typeof item.id === 'number' &&
    !Number.isSafeInteger(item.id)
  if (!Array.isArray(data) || !data.some(isRounded)) return
  throw historyFailed(
    'Octokit rounds the numbers of these deliveries, which are too long for it: give a token instead of a client.',
  )
}
