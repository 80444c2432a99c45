import type { ComponentChildren } from 'preact'
import type { Failure } from '../api/client.ts'
import type { Resource } from '../api/hooks.ts'
import { printableLines } from '../logic/printable.ts'

/** While something is fetched for the first time. */
export function Waiting() {
  return (
    <div class="wait" role="status">
      <p class="hidden-text">Loading</p>
      <span />
      <span />
      <span />
    </div>
  )
}

/** Nothing is there, and what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="state">
      <strong>{title}</strong>
      {children}
    </div>
  )
}

/** What went wrong, beside what was tried. */
export function Problem({ failure }: { readonly failure: Failure | undefined }) {
  if (failure === undefined) return null
  return (
    <div class="problem" role="alert">
      <p>{printableLines(failure.message)}</p>
      {failure.details.length > 0 && (
        <ul>
          {failure.details.map((detail) => (
            <li key={detail}>{printableLines(detail)}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

const titles: Readonly<Record<Failure['kind'], string>> = {
  offline: 'No connection',
  login: 'You have been logged out',
  forbidden: 'Not for your role',
  missing: 'Not found',
  conflict: 'It has changed meanwhile',
  invalid: 'That is not possible',
  failed: 'That did not work',
}

/** In place of what could not be fetched. */
export function Failed({ failure, retry }: { readonly failure: Failure; readonly retry: () => void }) {
  return (
    <div class="state" role="alert">
      <strong>{titles[failure.kind]}</strong>
      <p>{printableLines(failure.message)}</p>
      {failure.details.map((detail) => (
        <p key={detail}>{printableLines(detail)}</p>
      ))}
      {failure.kind !== 'missing' && (
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

export type AwaitProps<Value> = {
  readonly resource: Resource<Value>
  readonly children: (value: Value) => ComponentChildren
}

/** Loading, failed or there. What is there stays when a refresh fails, with a line that says so. */
export function Await<Value>({ resource, children }: AwaitProps<Value>) {
  const { value, failure, reload } = resource
  if (value === undefined) return failure === undefined ? <Waiting /> : <Failed failure={failure} retry={reload} />
  return (
    <>
      {failure !== undefined && (
        <div class="banner" role="status">
          <span class="grow">This may be out of date: {printableLines(failure.message)}</span>
          <button type="button" class="button tiny" onClick={reload}>
            Try again
          </button>
        </div>
      )}
      {children(value)}
    </>
  )
}
