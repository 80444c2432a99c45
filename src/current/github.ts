import type { FetchCurrent } from '../verify/provider.ts'

/** The part of an Octokit client that is needed here, so that the package stays out of our dependencies. */
export type OctokitLike = {
  readonly request: {
    (options: {
      readonly method: 'GET'
      readonly url: string
      readonly request: { readonly signal: AbortSignal }
    }): Promise<{ readonly data: unknown }>
    readonly endpoint: { readonly DEFAULTS: { readonly baseUrl: string } }
  }
}

/**
 * Reads what a GitHub event is about as it is now: `github({ secret, fetchCurrent: githubObject(new Octokit({ auth })) })`.
 * What an event says is deleted, and is, is `undefined`.
 */
export function githubObject(client: OctokitLike): FetchCurrent {
  return async ({ type, payload }, signal) => {
    const url = urlWithin(client.request.endpoint.DEFAULTS.baseUrl, urlOf(type, payload))
    try {
      const { data } = await client.request({ method: 'GET', url, request: { signal } })
      return data
    } catch (error) {
      if (isMissing(error) && payload.action === 'deleted') return undefined
      throw error
    }
  }
}

/** The field of the payload that an event is about. Each has the address of its object in the API. */
const subjects: Readonly<Record<string, string>> = {
  check_run: 'check_run',
  check_suite: 'check_suite',
  code_scanning_alert: 'alert',
  commit_comment: 'comment',
  dependabot_alert: 'alert',
  deployment: 'deployment',
  deployment_status: 'deployment_status',
  fork: 'forkee',
  issue_comment: 'comment',
  issues: 'issue',
  label: 'label',
  milestone: 'milestone',
  organization: 'organization',
  public: 'repository',
  pull_request: 'pull_request',
  pull_request_review_comment: 'comment',
  pull_request_review_thread: 'pull_request',
  release: 'release',
  repository: 'repository',
  repository_advisory: 'repository_advisory',
  secret_scanning_alert: 'alert',
  star: 'repository',
  sub_issues: 'sub_issue',
  team: 'team',
  team_add: 'team',
  watch: 'repository',
  workflow_job: 'workflow_job',
  workflow_run: 'workflow_run',
}

function urlOf(type: string, payload: Parameters<FetchCurrent>[0]['payload']): string {
  const review = payload?.review
  if (type === 'pull_request_review' && typeof review?.pull_request_url === 'string') {
    return `${review.pull_request_url}/reviews/${encodeURIComponent(review.id)}`
  }
  const subject = Object.hasOwn(subjects, type) ? subjects[type] : undefined
  const url: unknown = subject === undefined ? undefined : payload?.[subject]?.url
  if (typeof url === 'string') return url
  throw new Error(`A "${type}" event has no object with an address in the API: give a fetchCurrent of your own`)
}

/** The client's token goes wherever it is sent, so it is sent to its own API only. */
function urlWithin(baseUrl: string, given: string): string {
  const base = new URL(baseUrl)
  const url = URL.canParse(given) ? new URL(given) : undefined
  const beginning = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`
  if (url?.origin !== base.origin || !url.pathname.startsWith(beginning) || url.username !== '') {
    throw new Error(`The object is not in the API of this client, ${baseUrl}: give the client the right baseUrl`)
  }
  return url.href
}

function isMissing(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'status' in error && (error.status === 404 || error.status === 410)
  )
}
