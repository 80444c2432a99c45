import { formEvent, freshNumber, freshUuid } from '../verify/compose.ts'
import { defineProvider } from '../verify/define-provider.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import type { Incoming } from '../verify/incoming.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId, partsOfId } from '../verify/safe-id.ts'
import { hmacOverAddressAndNonce, hmacOverSortedUrlAndForm } from '../verify/schemes/sorted-url-and-form.ts'

/** What Plivo can be told beyond the common options. */
export type PlivoOptions = {
  /** `v2` for callbacks that carry no V3 signature; it does not cover the form. Default `v3`. */
  readonly signatureVersion?: 'v3' | 'v2' | undefined
}

/** Plivo calls and messages. The secret is the auth token; behind a proxy set `publicUrl`. https://docs.plivo.com/docs/voice/xml/request/validation */
export const plivo: (options: ProviderOptions & PlivoOptions) => Provider = defineProvider<PlivoOptions>(
  ({ signatureVersion = 'v3' }) => ({
    name: 'plivo',
    title: 'Plivo',
    documentation: 'https://docs.plivo.com/docs/voice/xml/request/validation',
    scheme: (signatureVersion === 'v2' ? hmacOverAddressAndNonce : hmacOverSortedUrlAndForm)({
      // The second header is made with the token of the main account, where a subaccount calls.
      headers: [`x-plivo-signature-${signatureVersion}`, `x-plivo-signature-ma-${signatureVersion}`],
      nonceHeader: `x-plivo-signature-${signatureVersion}-nonce`,
    }),
    idField: 'MessageUUID and Status, or CallUUID and Event',
    isIdSigned: signatureVersion === 'v3',
    identityAdvice:
      'Messages are told apart by MessageUUID and Status, the start, ringing and end of a call by CallUUID and Event. ' +
      'Nothing tells two other steps of one call apart, so each delivery of such a step is an event of its own: look at the state of the call before acting.',
    identify: (incoming) => (incoming.form.has('MessageUUID') ? message(incoming) : call(incoming)),
    // A call reads the answer as instructions; this one says that there are none.
    answer: () => ({ status: 200, headers: { 'content-type': 'text/xml' }, body: '<Response/>' }),
    confidence: 'executed',
    uncertain: ['whether and how long it retries', 'how long it waits for an answer', 'the list of fields'],
    weaknesses: ['Names and values are joined without anything between them, so a captured form can be cut anew.'],
    surprises: [
      'Its documents describe V3 for calls and V2 for messages. V2 does not cover the form at all, so it has to be chosen.',
      'The address is signed with its query decoded and sorted: behind a proxy set publicUrl.',
      'With subaccounts a second header is signed with the token of the main account; either token will do here.',
    ],
    ownOptions: {
      signatureVersion: '"v2" for callbacks without a V3 signature; it does not cover the form. Default "v3"',
    },
    mistakes: ['v3', 'v2'].includes(signatureVersion) ? [] : ['"signatureVersion" must be "v3" or "v2".'],
    compose: ({ id, type = 'call.Hangup', payload }) => {
      const [uuid = freshUuid(), step = type.slice(type.indexOf('.') + 1)] = id === undefined ? [] : partsOfId(id)
      const ends = { From: '15551234567', To: '15558675310' }
      const fields = type.startsWith('message.')
        ? { MessageUUID: uuid, Status: step }
        : { CallUUID: uuid, Event: step, CallStatus: 'completed' }
      const nonce = String(freshNumber())
      return formEvent({ ...ends, ...(payload ?? fields) }, { [`x-plivo-signature-${signatureVersion}-nonce`]: nonce })
    },
  }),
)

function message({ form }: Incoming): ClaimedEvent {
  const uuid = form.get('MessageUUID')
  const status = form.get('Status') ?? 'received'
  const error = form.get('ErrorCode')
  return {
    id: compositeId(error === null || error === '' ? [uuid, status] : [uuid, status, error]),
    type: `message.${status}`,
    objectId: uuid,
  }
}

const onceInACall = ['StartApp', 'Ring', 'Hangup']

function call({ form, arrivalId }: Incoming): ClaimedEvent {
  const uuid = form.get('CallUUID')
  const step = form.get('Event') ?? form.get('CallStatus')
  const isOnce = onceInACall.includes(form.get('Event') ?? '')
  return {
    id: uuid === null || isOnce ? compositeId([uuid, step]) : arrivalId,
    type: step === null ? undefined : `call.${step}`,
    objectId: uuid,
  }
}
