import { hmac } from '../verify/algorithms/hmac.ts'
import { plainTextAnswer } from '../verify/answers.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { emptyBatch } from '../verify/empty-batch.ts'
import type { ClaimedEvent } from '../verify/identity.ts'
import type { Incoming } from '../verify/incoming.ts'
import { field, isObject, listAt } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'
import { queryValue } from '../verify/url.ts'

/** Dropbox. The secret is the app secret. https://www.dropbox.com/developers/reference/webhooks */
export const dropbox: (options: ProviderOptions) => Provider = defineProvider({
  name: 'dropbox',
  title: 'Dropbox',
  documentation: 'https://www.dropbox.com/developers/reference/webhooks',
  scheme: signature({
    header: 'x-dropbox-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
  }),
  idField: 'nothing that Dropbox sends',
  identityAdvice:
    'Dropbox sends no id, and two changes of one account have equal bodies, so every delivery is a new event. ' +
    'Read what changed with list_folder/continue, and store the new cursor in the same transaction as the effect: ' +
    'a delivery that comes twice then finds nothing new.',
  isBatch: true,
  identify,
  methods: ['POST', 'GET'],
  handshakes: {
    before_verification: ({ delivery: { method, url } }) => {
      if (method !== 'GET') return undefined
      const challenge = queryValue(url, 'challenge')
      return challenge === undefined
        ? { kind: 'malformed', detail: 'The query parameter "challenge" is expected, once.' }
        : plainTextAnswer(challenge)
    },
    after_verification: emptyBatch((document) => field(document, 'list_folder.accounts')),
  },
  handshakeGuide:
    'A GET with a "challenge" in the query when the address is entered; it is given back as plain text, so GET has to reach this address too.',
  // Its documents once said that anything but 200 is sent again.
  answer: () => ({ status: 200 }),
  successStatus: '200',
  confidence: 'documents',
  uncertain: ['how it signs (second-hand)', 'how long it tries again (an old copy of its documents says ten minutes)'],
  surprises: ['A delivery names the accounts in which something changed, and never what changed.'],
  retryHours: 0.17,
  retrySchedule: 'With growing pauses over about ten minutes',
  deadlineSeconds: 10,
  compose: ({ payload }) => jsonEvent(payload ?? { list_folder: { accounts: [freshId('dbid:')] } }),
})

/** Each account is an event of its own; what names no accounts, as for whole teams, is one event. */
function identify({ document, arrivalId }: Incoming): ClaimedEvent | readonly ClaimedEvent[] {
  const [type] = isObject(document) ? Object.keys(document) : []
  const accounts = listAt(document, 'list_folder.accounts')
  if (accounts.length === 0) return { id: arrivalId, type }
  return accounts.map((account, index) => ({
    id: `${arrivalId}/${index}`,
    type: 'list_folder',
    objectId: account,
    part: `/list_folder/accounts/${index}`,
  }))
}
