import { hmac } from '../verify/algorithms/hmac.ts'
import { formEvent, freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderDeclaration } from '../verify/provider-declaration.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain, type SignatureFormat } from '../verify/schemes/signature-format.ts'
import { token } from '../verify/schemes/token.ts'

/** What Mollie can be told beyond the common options. */
export type MollieOptions = {
  /** Which webhooks arrive. Classic ones are not signed: their secret is a token that you put into the webhook URL. */
  readonly generation?: 'next-gen' | 'classic' | undefined
}

/** Mollie. The secret is the next-gen webhook's; for classic ones it is the `token` in the query. https://docs.mollie.com/reference/webhooks-new */
export const mollie: (options: ProviderOptions & MollieOptions) => Provider = defineProvider<MollieOptions>(
  ({ generation = 'next-gen' }) => ({
    name: 'mollie',
    title: 'Mollie',
    ...(generation === 'classic' ? classic : nextGen),
    deadlineSeconds: 15,
    successStatus: '200 only',
    answer: () => ({ status: 200 }),
    ownOptions: {
      generation:
        '"next-gen" (signed events, the default) or "classic" (unsigned calls with the id of an object, for which `secret` is the `token` in the query of your webhook URL)',
    },
    mistakes: ['next-gen', 'classic'].includes(generation) ? [] : ['"generation" must be "next-gen" or "classic".'],
  }),
)

type Generation = Omit<ProviderDeclaration, 'name' | 'title'>

const nextGen: Generation = {
  confidence: 'executed',
  documentation: 'https://docs.mollie.com/reference/webhooks-new',
  scheme: signature({
    header: 'x-mollie-signature',
    format: prefixIsOptional('sha256='),
  }),
  idField: 'the body field "id"',
  isIdSigned: true,
  reads: ['id', 'type', 'entityId', 'createdAt'],
  identify: ({ document }) => ({
    id: field(document, 'id'),
    type: field(document, 'type'),
    objectId: field(document, 'entityId'),
    occurredAt: fromDateText(field(document, 'createdAt')),
  }),
  uncertain: ['how long it tries again'],
  surprises: [
    'There are two kinds of webhooks. Classic ones, set by "webhookUrl" on a payment, are form posts without any signature: see the option "generation".',
    'The signature comes as sha256=… or as bare digits; both are taken.',
  ],
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      resource: 'event',
      entityId: freshId('pl_'),
      createdAt: at.toISOString(),
      ...payload,
      id: id ?? payload?.id ?? freshId('event_'),
      type: type ?? payload?.type ?? 'payment-link.paid',
    }),
}

const classic: Generation = {
  confidence: 'documents',
  documentation: 'https://docs.mollie.com/reference/webhooks',
  scheme: token({ query: 'token' }),
  idField: 'nothing',
  isIdSigned: false,
  identityAdvice:
    'Nothing tells its events apart: every status of a payment comes with the same id and nothing else, so each call counts as a new event. ' +
    'Read the object from the API in the handler, and let the same status twice do nothing.',
  identify: ({ form, arrivalId }) => {
    const objectId = form.get('id')
    return { id: objectId === null ? undefined : arrivalId, type: `${kindOf(objectId)}.changed`, objectId }
  },
  weaknesses: ['Nothing is signed, and the token is part of an address that logs and proxies see.'],
  retryHours: 26,
  retrySchedule: 'ten calls in all: at once, then 1, 3, 7, 15 and 31 minutes and 1, 2, 4 and 26 hours later',
  sending: { pausesSeconds: [60, 120, 240, 480, 960, 1_740, 3_600, 7_200, 79_200] },
  compose: ({ id, payload }) =>
    formEvent({ id: id ?? freshId('tr_'), ...payload }, { 'user-agent': 'Mollie HTTP client/1.0' }),
}

function prefixIsOptional(prefix: string): SignatureFormat {
  const form = { algorithm: hmac('sha256'), encoding: 'hex' } as const
  const [bare, prefixed] = [plain(form), plain({ ...form, prefix })]
  return { ...prefixed, read: (text) => (text.startsWith(prefix) ? prefixed : bare).read(text) }
}

/** What an id belongs to is told by how it begins. */
function kindOf(objectId: string | null): string {
  if (objectId?.startsWith('tr_')) return 'payment'
  return objectId?.startsWith('ord_') ? 'order' : 'object'
}
