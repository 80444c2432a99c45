import { Octokit } from '@octokit/core'
import { describe, expect } from 'vitest'
import { githubObject } from '../../src/current/github.ts'
import { createInbox } from '../../src/index.ts'
import { github } from '../../src/providers/github.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { type FakeApi, test } from './fake-api.ts'

/** The real client, which talks to the API of the test as to an Enterprise Server. */
function clientOf({ url }: FakeApi): Octokit {
  return new Octokit({ baseUrl: `${url}/api/v3`, auth: 'token-1', log: silent })
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

function event(type: string, payload: object): Parameters<ReturnType<typeof githubObject>>[0] {
  return { id: '1', type, objectId: undefined, payload }
}

const signal = new AbortController().signal

describe('the object of a GitHub event', () => {
  test.for([
    ['issues', 'issue', '/repos/o/r/issues/1'],
    ['issue_comment', 'comment', '/repos/o/r/issues/comments/9'],
    ['pull_request', 'pull_request', '/repos/o/r/pulls/2'],
    ['release', 'release', '/repos/o/r/releases/3'],
    ['deployment_status', 'deployment_status', '/repos/o/r/deployments/4/statuses/5'],
    ['check_run', 'check_run', '/repos/o/r/check-runs/6'],
    ['workflow_run', 'workflow_run', '/repos/o/r/actions/runs/7'],
    ['repository', 'repository', '/repos/o/r'],
    ['label', 'label', '/repos/o/r/labels/%7Bbug%7D%20hunt'],
  ] as const)('of type %s is read by the address of its %s', async ([type, field, path], { api }) => {
    api.answer(`/api/v3${path}`, { status: 200, body: { state: 'now' } })

    const current = await githubObject(clientOf(api))(
      event(type, { [field]: { url: `${api.url}/api/v3${path}` } }),
      signal,
    )

    expect(current).toEqual({ state: 'now' })
    expect(api.seen).toMatchObject([
      { method: 'GET', path: `/api/v3${path}`, headers: { authorization: 'token token-1' } },
    ])
  })

  test('of a review is read by the address of its pull request', async ({ api }) => {
    const path = '/api/v3/repos/o/r/pulls/2/reviews/80'
    api.answer(path, { status: 200, body: { state: 'APPROVED' } })
    const review = { id: 80, pull_request_url: `${api.url}/api/v3/repos/o/r/pulls/2` }

    const current = await githubObject(clientOf(api))(event('pull_request_review', { review }), signal)

    expect(current).toEqual({ state: 'APPROVED' })
  })

  test('is undefined if the event says that it is deleted, and it is', async ({ api }) => {
    const payload = { action: 'deleted', release: { url: `${api.url}/api/v3/repos/o/r/releases/3` } }
    const fetchCurrent = githubObject(clientOf(api))

    expect(await fetchCurrent(event('release', payload), signal)).toBeUndefined()
    await expect(fetchCurrent(event('release', { ...payload, action: 'edited' }), signal)).rejects.toThrow('Not Found')
  })

  test.for([
    'https://api.github.com/repos/o/r/issues/1',
    'https://elsewhere.example/api/v3/repos/o/r/issues/1',
    'API/repos/o/r/issues/1',
    'API/api/v3/../../secrets',
    'API/api/v30/repos',
    'nothing',
  ])('is not read at %s, which is not in the API of the client', async (address, { api }) => {
    const url = address.replace('API', api.url)

    await expect(githubObject(clientOf(api))(event('issues', { issue: { url } }), signal)).rejects.toThrow(
      'not in the API',
    )

    expect(api.seen).toEqual([])
  })

  test('is read at api.github.com by a client of no special address', async () => {
    const requests: string[] = []
    const fetch = async (url: string): Promise<Response> => {
      requests.push(url)
      return Response.json({ number: 1 })
    }
    const client = new Octokit({ request: { fetch } })
    const url = 'https://api.github.com/repos/o/r/issues/1'

    expect(await githubObject(client)(event('issues', { issue: { url } }), signal)).toEqual({ number: 1 })
    expect(requests).toEqual([url])
  })

  test.for(['push', 'ping', 'constructor'])('of type %s is refused: there is none', async (type, { api }) => {
    await expect(githubObject(clientOf(api))(event(type, { zen: 'x' }), signal)).rejects.toThrow(
      `A "${type}" event has no`,
    )
  })

  test('is waited for no longer than the signal says', async ({ api }) => {
    const path = '/api/v3/repos/o/r/issues/1'
    api.answer(path, 'never')
    const issue = { url: `${api.url}${path}` }

    const reading = githubObject(clientOf(api))(event('issues', { issue }), AbortSignal.timeout(50))

    await expect(reading).rejects.toThrow('aborted')
  })
})

describe('a handler that asks for the current object', () => {
  test('is run again after a failure of the API', async ({ api, database }) => {
    const path = '/api/v3/repos/o/r/issues/1'
    api.answer(path, { status: 502, body: { message: 'Server Error' } }, { status: 200, body: { state: 'closed' } })
    const source = github({ secret: 'a secret of some length', fetchCurrent: githubObject(clientOf(api)) })
    const store = postgresStore(database.pool, { schema: database.schema })
    const inbox = createInbox({
      store,
      sources: { github: source },
      mode: 'queued',
      retry: { firstSeconds: 0 },
      logger: silent,
    })
    const seen: unknown[] = []
    inbox.on('github', 'issues', async (_, { fetchCurrent }) => void seen.push(await fetchCurrent()))
    const payload = { action: 'opened', issue: { url: `${api.url}${path}` } }

    await inbox.receive('github', source.sign({ type: 'issues', payload }, new Date()))
    await inbox.drain()
    await inbox.drain()

    const [receipt] = await inbox.receipts.find()
    const timeline = await inbox.receipts.timeline(receipt?.id ?? '')
    expect(seen).toEqual([{ state: 'closed' }])
    expect(receipt).toMatchObject({ status: 'processed', attempts: 2 })
    expect(JSON.stringify(timeline)).toContain('could not be fetched: HttpError: Server Error')
  })
})
