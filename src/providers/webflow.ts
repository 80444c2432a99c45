import { hmac } from '../verify/algorithms/hmac.ts'
import { freshId, jsonEvent } from '../verify/compose.ts'
import { fromDateText } from '../verify/dates.ts'
import { defineProvider } from '../verify/define-provider.ts'
import { field, isObject } from '../verify/object.ts'
import type { Provider } from '../verify/provider.ts'
import type { ProviderOptions } from '../verify/provider-options.ts'
import { compositeId } from '../verify/safe-id.ts'
import { signature } from '../verify/schemes/signature.ts'
import { plain } from '../verify/schemes/signature-format.ts'

/** Webflow sites. The secret is the webhook's own, or the client secret of the OAuth app that made it. https://developers.webflow.com/data/docs/working-with-webhooks */
export const webflow: (options: ProviderOptions) => Provider = defineProvider({
  name: 'webflow',
  title: 'Webflow',
  documentation: 'https://developers.webflow.com/data/docs/working-with-webhooks',
  scheme: signature({
    header: 'x-webflow-signature',
    format: plain({ algorithm: hmac('sha256'), encoding: 'hex' }),
    over: '{timestamp}:{body}',
    timestampHeader: 'x-webflow-timestamp',
    timestampUnit: 'milliseconds',
    // Webflow's advice; its own library checks no age.
    toleranceSeconds: 300,
  }),
  idField: 'triggerType, the object and the time of its change',
  identityAdvice:
    'Its events are told apart by triggerType, the object and the time of its change. Changes of orders and of stock tell no time: ' +
    'each of their deliveries counts as a new event, so read the current order or stock from the API instead of counting.',
  isIdSigned: true,
  confidence: 'executed',
  uncertain: ['the tolerance of 300 s and the deadline of 30 s (second-hand)', 'whether a retry is signed anew'],
  surprises: [
    'Only webhooks that an OAuth app made, or that have a secret of their own, are signed at all.',
    'There is no id of an event.',
    'Nothing but 200 is success; even a redirect counts as a failure.',
  ],
  identify: ({ document, arrivalId }) => {
    const [type, payload] = [field(document, 'triggerType'), field(document, 'payload')]
    return {
      id: typeof type !== 'string' || !isObject(payload) ? undefined : (changeId(type, payload) ?? arrivalId),
      type,
      objectId: objectOf(payload),
      occurredAt: fromDateText(momentsOf(payload).find((moment) => moment !== undefined)),
    }
  },
  retryHours: 0.5,
  retrySchedule: 'three times, 10 minutes apart',
  sending: { pausesSeconds: [600, 600, 600], successes: [200] },
  successStatus: '200 only',
  answer: () => ({ status: 200 }),
  deadlineSeconds: 30,
  compose: ({ id, type, payload }, at) =>
    jsonEvent({
      payload: {
        name: 'Contact',
        siteId: '65427cf400e02b306eaa049c',
        data: { Name: 'Jenny Rosen', Email: 'jenny@example.com' },
        submittedAt: at.toISOString(),
        id: id ?? freshId(),
        formId: '65429eadebe8a9f3a30f62d0',
      },
      ...payload,
      triggerType: type ?? payload?.triggerType ?? 'form_submission',
    }),
})

/** These happen to an object once. All else needs a moment, or two changes would be one. */
const happensOnce = /^(?:form_submission|ecomm_new_order|.*_(?:created|added|deleted))$/

/** An item has one id for all its languages. */
function changeId(type: string, payload: unknown): string | undefined {
  const object = [objectOf(payload), field(payload, 'cmsLocaleId') ?? '-']
  if (happensOnce.test(type)) return compositeId([type, ...object])
  const moments = momentsOf(payload)
  const isDated = moments.some((moment) => moment !== undefined)
  return isDated ? compositeId([type, ...object, ...moments.map((moment) => moment ?? '-')]) : undefined
}

function objectOf(payload: unknown): unknown {
  const names = ['id', 'orderId', 'commentId', 'pageId', 'siteId']
  return names.map((name) => field(payload, name)).find((id) => typeof id === 'string')
}

function momentsOf(payload: unknown): readonly (string | undefined)[] {
  return ['lastUpdated', 'lastPublished', 'publishedOn', 'submittedAt'].map((name) => {
    const moment = field(payload, name)
    return typeof moment === 'string' ? moment : undefined
  })
}
