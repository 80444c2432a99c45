import { hmac } from '../verify/algorithms/hmac.ts'
import { freshUuid, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId, idText } from '../verify/safe-id.ts'
import { firstOf } from '../verify/schemes/first-of.ts'
import { signature } from '../verify/schemes/signature.ts'
import { pairs } from '../verify/schemes/signature-format.ts'
import { token } from '../verify/schemes/token.ts'

/** What Buildkite can be told beyond the common options. */
export type BuildkiteOptions = {
  /** How the notification service proves itself; then the other way is refused. Default: either, and a signature decides where there is one. */
  readonly proof?: 'token' | 'signature' | undefined
}

const signed = signature({
  header: 'x-buildkite-signature',
  format: pairs({
    algorithm: hmac('sha256'),
    encoding: 'hex',
    separator: ',',
    timestamp: 'timestamp',
    signature: 'signature',
  }),
  over: '{timestamp}.{body}',
  toleranceSeconds: 300,
})
const sentAlong = token({ header: 'x-buildkite-token' })

/** Buildkite pipelines and package registries. The secret is the notification service's token. https://buildkite.com/docs/apis/webhooks/pipelines */
export const buildkite: (options: ProviderOptions & BuildkiteOptions) => Provider = defineProvider<BuildkiteOptions>(
  ({ proof }) => ({
    name: 'buildkite',
    title: 'Buildkite',
    documentation: 'https://buildkite.com/docs/apis/webhooks/pipelines',
    // Either way shows knowledge of the same token, and a service that signs never sends it: nobody can go from one to the other.
    scheme: proof === undefined ? firstOf([signed, sentAlong]) : proof === 'signature' ? signed : sentAlong,
    idField: 'the event, the id of the build or job, and when it finished or started',
    isIdSigned: proof === 'signature',
    identityAdvice:
      'A build or job that finished, a job that started and a package that was created are told apart by their id and time. ' +
      'Everything else can come again and look exactly alike (a build runs again after a block step), so each delivery of it counts as new.',
    identify: ({ document, arrivalId }) => {
      const event = field(document, 'event')
      // A job event holds its build too, so the name of the event says what it is about.
      const subject = typeof event === 'string' ? field(document, event.split('.', 1)[0] ?? '') : undefined
      return {
        id: onceOf(event, subject) ?? arrivalId,
        type: event,
        objectId: field(subject, 'id'),
        occurredAt: fromDateText(field(subject, 'finished_at')) ?? fromDateText(field(subject, 'started_at')),
      }
    },
    confidence: 'documents',
    uncertain: ['whether anything is ever sent again'],
    surprises: [
      'A token in a header is its default. The better form, a signature, is a choice in the settings of the notification service.',
      'The payload may show a later state than the one that caused it, where a build changes quickly.',
    ],
    // Nothing says that it would send an event again.
    isFailureRetried: false,
    handshakeGuide:
      'an event ping whenever the settings of the notification service change; it needs no special answer',
    ownOptions: {
      proof: 'how the notification service proves itself, "token" or "signature": then the other way is refused',
    },
    mistakes:
      proof === undefined || proof === 'token' || proof === 'signature'
        ? []
        : ['"proof" must be "token" or "signature".'],
    compose: ({ id = freshUuid(), type, payload }, at) => {
      const event = idText(type ?? payload?.event) ?? 'build.finished'
      const build = { id, number: 1234, state: 'passed', blocked: false, branch: 'main', finished_at: at.toISOString() }
      return jsonEvent(
        { build, pipeline: { id: '849411f9-9e6d-4739-a0d8-e247088e9b52', slug: 'web' }, ...payload, event },
        { 'user-agent': 'Buildkite-Request', 'x-buildkite-event': event },
      )
    },
  }),
)

/** What happens once to a thing, or once at a time that the thing then carries. */
const onceFields: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['build.finished', ['id', 'finished_at']],
  ['job.finished', ['id', 'finished_at']],
  ['job.started', ['id', 'started_at']],
  ['package.created', ['id']],
])

function onceOf(event: unknown, subject: unknown): string | undefined {
  const fields = onceFields.get(event)
  return fields === undefined ? undefined : compositeId([event, ...fields.map((name) => field(subject, name))])
}
